"""`costs way`: how a role's calls are asked: a prompt cache, and a batch where nobody waits before the morning."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from typing import Annotated, cast, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from core.catalog.roles import get_role
from core.cli.edge import actor_of, opened, say, tenant_of
from core.cli.options import AsJson, MaybeAs, Tenant
from core.costs.ways import Cache, Hours, Way, find_way
from core.desk.budgets import set_way
from core.errors import BadInput
from core.steps import Json


def way_(
    role: Annotated[str, typer.Argument(metavar="ROLE")],
    cache: Annotated[str | None, typer.Option("--cache", help="none, 5m or 1h: of rubric and description.")] = None,
    overnight: Annotated[
        str | None, typer.Option("--overnight", metavar="HOURS", help="18:00-08:00, when calls go by batch; or off.")
    ] = None,
    zone: Annotated[str | None, typer.Option("--zone", help="Of these hours; else the home's.")] = None,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show how a role's calls are asked, or say how they are from now on."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            get_role(conn, tenant_id, role)
            now = find_way(conn, tenant_id, role)
        if cache is not None or overnight is not None or zone is not None:
            actor = actor_of(app, tenant, who)
            wanted = _wanted(now, cache, overnight, zone or (now.zone if now.version else app.zone.key))
            version = app.act(actor, "costs way", lambda tx: set_way(tx, actor, role, wanted))
            now = replace(wanted, version=version)
        say(_shaped(role, now), as_json=as_json, text=_read_out(role, now))


def _wanted(now: Way, cache: str | None, overnight: str | None, zone: str) -> Way:
    if cache is not None and cache not in get_args(Cache):
        raise BadInput(f"A cache lives {', '.join(get_args(Cache))}; {cache[:20]!r} is none of these.")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise BadInput(f"{zone[:40]!r} is no time zone such as Europe/London.") from error
    hours = now.overnight if overnight is None else _hours(overnight)
    return Way(now.cache if cache is None else cast("Cache", cache), hours, zone)


def _hours(text: str) -> Hours | None:
    if text.strip().lower() == "off":
        return None
    first, dash, last = text.strip().partition("-")
    try:
        found = (time.fromisoformat(first.strip()), time.fromisoformat(last.strip()))
    except ValueError as error:
        raise BadInput(f"{text[:40]!r} are no hours such as 18:00-08:00.") from error
    if not dash or any(at.tzinfo is not None for at in found):
        raise BadInput(f"{text[:40]!r} are no hours such as 18:00-08:00.")
    return found


def _said(way: Way) -> str | None:
    return None if way.overnight is None else "-".join(f"{at:%H:%M}" for at in way.overnight)


def _shaped(role: str, way: Way) -> dict[str, Json]:
    return {"role": role, "version": way.version, "cache": way.cache, "overnight": _said(way), "zone": way.zone}


def _read_out(role: str, way: Way) -> str:
    kept = "nothing is cached" if way.cache == "none" else f"rubric and description are cached for {way.cache}"
    hours = _said(way)
    sent = "each by itself" if hours is None else f"by batch from {hours.replace('-', ' to ')}, {way.zone}"
    return f"Calls of {role} go {sent}; {kept}."
