"""What differs between what was approved and what was exported. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from core.errors import BadInput
from core.steps import Json
from core.workflows.reconciliation.figures import say
from core.workflows.reconciliation.records import Approved, Exported, approved_of, control_figures, exported_of
from core.workflows.reconciliation.state import Discrepancy
from core.workflows.reconciliation.table import Table, fold, read_table

CONTROL = "d_00"


def check_files(approved: bytes, export: bytes, decimal: str) -> str:
    """Say how the two files would be read, or raise BadInput naming the file and what is wrong with it."""
    said = []
    for name, content, read in (("approved", approved, approved_of), ("export", export, exported_of)):
        try:
            table = read_table(content, decimal)
            count = len(read(table))
        except BadInput as error:
            raise BadInput(f"The {name} file: {error.sentence}") from error
        said.append(f"{name}: {count} campaigns, {table.read_as}")
    return "; ".join(said)


def compare(approved: Table, export: Table, policy: Mapping[str, Json]) -> tuple[Discrepancy, ...]:
    """Answer what differs, one discrepancy a campaign at most, in the order of the approved records."""
    known, seen = approved_of(approved), exported_of(export)
    found = _control(export)
    for number, one in enumerate(known.values(), 1):
        found += _of_campaign(f"d_{number:02d}", one, seen.get(one.id), policy)
    unknown = [one for one in seen.values() if one.id not in known]
    for number, other in enumerate(unknown, len(known) + 1):
        found.append(Discrepancy(f"d_{number:02d}", other.id, other.name, ("in export, not approved",)))
    return tuple(found)


def _control(export: Table) -> list[Discrepancy]:
    wrong = [
        f"{name}: the totals row says {said}, the rows add up to {summed}"
        for name, (said, summed) in control_figures(export).items()
        if said != summed
    ]
    return [Discrepancy(CONTROL, "totals row", "Totals row", tuple(wrong))] if wrong else []


def _of_campaign(number: str, one: Approved, seen: Exported | None, policy: Mapping[str, Json]) -> list[Discrepancy]:
    if seen is None:
        return [Discrepancy(number, one.id, one.name, ("approved, not in export",))]
    findings: list[str] = []
    if policy.get("compare_names", True) and one.name and seen.name and fold(one.name) != fold(seen.name):
        findings.append(f"name {one.name!r} approved, {seen.name!r} exported")
    money, over_by = _of_money(one, seen, Decimal(str(policy.get("tolerance", "0"))))
    findings += money
    if not findings:
        return []
    return [Discrepancy(number, one.id, one.name or seen.name, tuple(findings), over_by)]


def _of_money(one: Approved, seen: Exported, tolerance: Decimal) -> tuple[list[str], str | None]:
    """Compare amounts of one currency; where the currencies differ that is the finding, and no amount is compared."""
    stated = sorted(currency for currency in seen.cost if currency)
    if len(stated) > 1:
        return [f"exported in more than one currency: {', '.join(stated)}"], None
    if one.currency and stated and stated[0] != one.currency:
        return [f"currency {one.currency} approved, {stated[0]} exported"], None
    cost = sum(seen.cost.values(), Decimal(0))
    if one.budget is None or cost - one.budget <= tolerance:
        return [], None
    over = say(cost - one.budget)
    return [f"over budget by {over} {one.currency or (stated[0] if stated else '')}".rstrip()], over
