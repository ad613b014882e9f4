"""Commands for budgets: what a role or a tenant may spend on models."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.clock import iso, read_instant
from core.costs.budgets import Budget, Used, list_budgets, used_of
from core.costs.money import picodollars, usd
from core.desk.budgets import set_budget
from core.errors import BadInput
from core.people.people import names_of
from core.steps import Json

budgets = typer.Typer(help="What a role or the tenant may spend on models.", no_args_is_help=True)


def read_dollars(text: str) -> int:
    """Read dollars such as 5 or 0.25 as picodollars; raises BadInput."""
    try:
        amount = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount.copy_abs() > 10**9:
        raise BadInput(f"{text[:40]!r} is no amount in dollars such as 5 or 0.25.")
    return picodollars(amount)


@budgets.command("set")
def budget_set(
    who: As,
    usd_: Annotated[str, typer.Option("--usd", metavar="AMOUNT", help="Dollars, or `none` to take it away.")],
    role: Annotated[str | None, typer.Option("--role", metavar="ID", help="This role's; else the tenant's.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="Count calls from then on only.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Set a budget. A call that would go over it asks a person before it leaves."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        limit = None if usd_.strip().lower() == "none" else read_dollars(usd_)
        begins_at = None if since is None else _instant(since)
        found = app.act(actor, "budget set", lambda tx: set_budget(tx, actor, role, limit, begins_at=begins_at))
        said = "no budget" if limit is None else f"a budget of ${usd(limit)}"
        say(_shaped(found, None, {}), as_json=as_json, text=f"{found.name.capitalize()} has {said} from now on.")


@budgets.command("show")
def budget_show(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show every budget, and how much of it is spent, doubtful and reserved."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            found = [(one, used_of(conn, one)) for one in list_budgets(conn, tenant_id)]
            names = names_of(conn, tenant_id)
        rows = [_row(one, used) for one, used in found]
        head = ("of", "limit", "recorded", "estimated", "reserved", "unpriced calls")
        say(
            [_shaped(one, used, names) for one, used in found],
            as_json=as_json,
            text=lambda: columns([head, *rows], "") if rows else "Nobody has set a budget.",
        )


def _instant(text: str) -> datetime:
    try:
        return read_instant(text)
    except ValueError as error:
        raise BadInput(f"{text[:40]!r} is no time such as 2026-08-20T09:00:00Z.") from error


def _row(one: Budget, used: Used) -> tuple[str, ...]:
    limit = "none" if one.limit is None else f"${usd(one.limit)}"
    amounts = (used.recorded, used.estimated, used.reserved)
    return (one.name, limit, *(f"${usd(amount)}" for amount in amounts), str(used.unpriced_calls))


def _shaped(one: Budget, used: Used | None, names: dict[str, str]) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "role": one.role_id or None,
        "version": one.version,
        "limit_usd": None if one.limit is None else usd(one.limit),
        "since": iso(one.begins_at),
        "set_at": iso(one.set_at),
    }
    if used is not None:
        shown |= {
            "set_by": names.get(one.set_by),
            "recorded_usd": usd(used.recorded),
            "estimated_usd": usd(used.estimated),
            "reserved_usd": usd(used.reserved),
            "unpriced_calls": used.unpriced_calls,
        }
    return shown
