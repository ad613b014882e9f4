"""`costs reprice` and `costs reconcile`: other rates and an invoice held against the ledger. Neither writes."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from core.catalog.roles import get_role
from core.cli.edge import columns, opened, say, tenant_of
from core.cli.options import AsJson, Tenant
from core.costs.invoice import read_invoice
from core.costs.money import usd
from core.errors import BadInput
from core.limits import INVOICE_BYTES
from core.steps import Json
from core.views.invoiced import Held, Period, hold_against
from core.views.reprice import Repriced, reprice


def reprice_(
    as_of: Annotated[str, typer.Option("--as-of", metavar="DAY", help="At the rates of this day.")],
    role: Annotated[str | None, typer.Option("--role", metavar="ID", help="Only this role's.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Say what the recorded calls would cost at another day's rates."""
    with opened(as_json=as_json) as app:
        tenant_id, day = tenant_of(app, tenant), _day(as_of)
        with app.read() as conn:
            if role is not None:
                get_role(conn, tenant_id, role)
            found = reprice(conn, app.parts.prices, tenant_id, day, role)
        answer = {
            "as_of": day.isoformat(),
            "recorded_usd": usd(sum(one.recorded for one in found)),
            "repriced_usd": usd(sum(one.repriced for one in found)),
            "models": [_model(one) for one in found],
        }
        head = ("model", "calls", "recorded", f"at {day}", "unpriced then", "rates")
        say(answer, as_json=as_json, text=lambda: columns([head, *map(_line, found)], "") if found else _NOTHING)


_NOTHING = "No call whose tokens are known is on record, so there is nothing to price anew."


def reconcile_costs(
    invoice: Annotated[str, typer.Argument(metavar="FILE", help="The invoice as text, or - to paste it.")],
    first: Annotated[str | None, typer.Option("--from", metavar="DAY")] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="DAY", help="This day included.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Hold a provider's invoice against the ledger, and say what explains the difference."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        lines = read_invoice(_text(invoice))
        period = Period(*(None if day is None else _day(day) for day in (first, last)))
        with app.read() as conn:
            held = hold_against(conn, tenant_id, lines, period)
        answer = {
            "invoiced_usd": _signed(sum(one.invoiced for one in held)),
            "recorded_usd": usd(sum(one.recorded for one in held)),
            "difference_usd": _signed(sum(one.difference for one in held)),
            "unexplained_usd": _signed(sum(one.unexplained for one in held)),
            "models": [_held(one) for one in held],
        }
        say(answer, as_json=as_json, text=lambda: "\n".join(line for one in held for line in _read_out(one)))


def _text(name: str) -> str:
    if name == "-":
        content = sys.stdin.buffer.read(INVOICE_BYTES + 1)
    else:
        path = Path(name)
        if not path.is_file():
            raise BadInput(f"There is no file {name[:80]!r}; name the invoice, or give - and paste it.")
        with path.open("rb") as file:
            content = file.read(INVOICE_BYTES + 1)
    if len(content) > INVOICE_BYTES:
        raise BadInput(f"An invoice is at most {INVOICE_BYTES // 1_000_000} MB of text.")
    return content.decode("utf-8", "replace")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text[:40]!r} is no day such as 2026-08-20.") from error


def _signed(amount: int) -> str:
    return usd(amount) if amount >= 0 else f"-{usd(-amount)}"


def _model(one: Repriced) -> dict[str, Json]:
    return {
        "model": one.model,
        "source": one.source,
        "calls": one.calls,
        "recorded_usd": usd(one.recorded),
        "repriced_usd": usd(one.repriced),
        "unpriced_calls": one.unpriced_calls,
        "first_priced_calls": one.first_priced_calls,
        "first_priced_usd": usd(one.first_priced),
    }


def _line(one: Repriced) -> tuple[object, ...]:
    amounts = (f"${usd(one.recorded)}", f"${usd(one.repriced)}")
    return (one.model, one.calls, *amounts, one.unpriced_calls, one.source or "no list knows it")


def _held(one: Held) -> dict[str, Json]:
    return {
        "model": one.model,
        "invoiced_usd": usd(one.invoiced),
        "recorded_usd": usd(one.recorded),
        "difference_usd": _signed(one.difference),
        "unexplained_usd": _signed(one.unexplained),
        "calls": one.calls,
        "reasons": [
            {"code": why.code, "sentence": why.sentence, "usd": None if why.amount is None else usd(why.amount)}
            for why in one.reasons
        ],
    }


def _read_out(one: Held) -> list[str]:
    said = f"{one.model}: invoiced ${usd(one.invoiced)}, recorded ${usd(one.recorded)} in {one.calls} calls"
    if one.difference == 0:
        return [f"{said}: the same."]
    lines = [f"{said}: a difference of ${_signed(one.difference)}."]
    for why in one.reasons:
        explains = "" if why.amount is None else f" Explains up to ${usd(why.amount)}."
        lines.append(f"  {why.code}: {why.sentence}{explains}")
    return [*lines, f"  not explained: ${_signed(one.unexplained)}."]
