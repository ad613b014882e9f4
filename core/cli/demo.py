"""The demo: a role and 150 invented applicants with real files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from core.bootstrap import App
from core.catalog.role_text import read_role
from core.catalog.roles import add_role, find_role
from core.cli.edge import actor_of, opened, say
from core.cli.options import AsJson, MaybeAs, Tenant
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.removal import remove_role
from core.people.tenants import hold_for
from core.settings import MOST_HOLD_SECONDS
from core.views.threads import Filters, count_threads
from core.workshop.planting import apply_all, remove_rest


def demo(
    fresh: Annotated[bool, typer.Option("--fresh", help="Remove what a demo wrote, and write it anew.")] = False,
    atlas: Annotated[bool, typer.Option("--atlas", help="Only the Atlas job, in a tenant of its own.")] = False,
    migration: Annotated[bool, typer.Option("--migration", help="Only the migration of a shop's database.")] = False,
    scale: Annotated[int, typer.Option(min=1, max=100, help="Divide the migration's rows by this.")] = 1,
    hold_seconds: Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_HOLD_SECONDS, help="How long this tenant's decisions are held, where nothing says."
        ),
    ] = None,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write the demo: a role and 150 invented applicants with real files. Running it again changes nothing."""
    if atlas:
        _seed_atlas(fresh=fresh, as_json=as_json)
        return
    if migration:
        _seed_migration(who, tenant, scale, as_json=as_json)
        return
    # The demo writes PDF and Word files; no other command pays for loading what it needs.
    from core.demo import ROLE_FILE, write_applicants  # noqa: PLC0415

    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
        if hold_seconds is not None:
            app.act(actor, "demo", lambda tx: _hold(tx, actor, hold_seconds))
        if fresh:
            _remove(app, actor, draft.id)
        with app.read() as conn:
            known = find_role(conn, actor.tenant_id, draft.id)
        if known is None:
            contents = {**draft.contents, "role": {**draft.contents["role"], "demo": True}}
            app.act(actor, "demo", lambda tx: add_role(
                tx, actor.tenant_id, draft.id, contents, by=actor.member.id, now=actor.now))  # fmt: skip
            with tempfile.TemporaryDirectory() as folder:
                apply_all(app, actor, draft.id, Path(folder), write_applicants(Path(folder)))
        with app.read() as conn:
            count = count_threads(conn, app.vault, actor.tenant_id, Filters(role_id=draft.id))
        shaped = {"role": draft.id, "applicants": count, "written": known is None}
        word = "written" if known is None else "there already"
        say(shaped, as_json=as_json, text=f"The demo is {word}: {draft.id} with {count} applicants.")


def _seed_atlas(*, fresh: bool, as_json: bool) -> None:
    # The demo's files are loaded by the demo alone, as above.
    from core.workshop.atlas import JOB, TENANT, seed_atlas  # noqa: PLC0415

    with opened(as_json=as_json) as app:
        written = seed_atlas(app, fresh=fresh)
        shaped = {"tenant": TENANT, "thread": JOB, "written": written}
        say(shaped, as_json=as_json, text=f"The Atlas job is {'written' if written else 'there already'}: {JOB}.")


def _seed_migration(who: str | None, tenant: str | None, scale: int, *, as_json: bool) -> None:
    from core.cli.demo_migration import THREAD, seed_migration  # noqa: PLC0415 - as above

    with opened(as_json=as_json) as app:
        target, written = seed_migration(app, actor_of(app, tenant, who), scale=scale)
        shaped = {"thread": THREAD, "target": str(target), "written": written}
        word = "written" if written else "there already"
        say(shaped, as_json=as_json, text=f"The migration is {word}: {THREAD}, into {target}.")


def _hold(tx: Tx, actor: Actor, seconds: int) -> None:
    if hold_for(tx, actor.tenant, seconds):
        actor.note(tx, "hold_set", None, seconds=seconds)


def _remove(app: App, actor: Actor, role_id: str) -> None:
    removed = app.act(actor, "demo --fresh", lambda tx: remove_role(tx, actor, role_id))
    remove_rest(app, actor.tenant_id, removed)
