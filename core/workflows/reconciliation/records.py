"""Approved campaigns in their latest version, and exported lines added up by campaign. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from core.errors import BadInput
from core.workflows.reconciliation.figures import read_figure
from core.workflows.reconciliation.table import Row, Table

_MICRO = Decimal(1_000_000)
FIGURES = ("cost", "impressions", "clicks")


@dataclass(frozen=True, slots=True)
class Approved:
    """One approved campaign; what the file does not say is empty or None."""

    id: str
    name: str
    currency: str
    budget: Decimal | None
    updated_at: str


@dataclass(slots=True)
class Exported:
    """What an export says of one campaign, added up; amounts of different currencies are never added."""

    id: str
    name: str
    rows: int = 0
    cost: dict[str, Decimal] = field(default_factory=dict)
    impressions: Decimal = Decimal(0)
    clicks: Decimal = Decimal(0)


def approved_of(table: Table) -> dict[str, Approved]:
    """Answer the latest version of each approved campaign, in the order in which they first stand in the file."""
    found: dict[str, Approved] = {}
    for number, row in enumerate(table.rows, 1):
        name = row.get("name", "")
        one = Approved(
            id=row.get("id") or name,
            name=name,
            currency=row.get("currency", "").upper(),
            budget=_figure(table, row, "budget", number),
            updated_at=row.get("updated_at", ""),
        )
        known = found.get(one.id)
        if known is None or one.updated_at >= known.updated_at:
            found[one.id] = one
    return found


def exported_of(table: Table) -> dict[str, Exported]:
    """Answer what the export says of each campaign, in the order in which they first stand in it."""
    found: dict[str, Exported] = {}
    for number, row in enumerate(table.rows, 1):
        campaign_id = row.get("id") or row.get("name", "")
        one = found.setdefault(campaign_id, Exported(campaign_id, row.get("name", "")))
        one.rows += 1
        currency = row.get("currency", "").upper()
        cost = cost_of(table, row, number)
        if cost is not None:
            one.cost[currency] = one.cost.get(currency, Decimal(0)) + cost
        one.impressions += _figure(table, row, "impressions", number) or 0
        one.clicks += _figure(table, row, "clicks", number) or 0
    return found


def cost_of(table: Table, row: Row, number: int) -> Decimal | None:
    """Answer a line's cost in whole units of its currency; some exports count in millionths."""
    cost = _figure(table, row, "cost", number)
    micros = _figure(table, row, "cost_micros", number) if cost is None else None
    return cost if micros is None else micros / _MICRO


def _figure(table: Table, row: Row, column: str, number: int) -> Decimal | None:
    try:
        return read_figure(row.get(column, ""), table.decimal)
    except BadInput as error:
        raise BadInput(f"Record {number}, column {column}: {error.sentence}") from error


def control_figures(table: Table) -> dict[str, tuple[Decimal, Decimal]]:
    """Answer, for each figure that the totals row states, what it says and what the rows add up to.

    A cost in more than one currency has no sum and is left out.
    """
    if table.totals is None:
        return {}
    rows = exported_of(table).values()
    currencies = {currency for one in rows for currency in one.cost}
    sums: Mapping[str, Decimal] = {
        "cost": sum((amount for one in rows for amount in one.cost.values()), Decimal(0)),
        "impressions": sum((one.impressions for one in rows), Decimal(0)),
        "clicks": sum((one.clicks for one in rows), Decimal(0)),
    }
    stated = {
        "cost": cost_of(table, table.totals, 0),
        "impressions": _figure(table, table.totals, "impressions", 0),
        "clicks": _figure(table, table.totals, "clicks", 0),
    }
    return {
        name: (said, sums[name])
        for name, said in stated.items()
        if said is not None and not (name == "cost" and len(currencies) > 1)
    }
