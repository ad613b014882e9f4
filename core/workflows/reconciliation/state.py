"""What a reconciliation keeps: references, what differs, and nothing that an approval's or an effect's row says."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.steps import Kind, Rule, kept

_KEPT = kept(Rule.CLOSE_6_MONTHS, subject=False)
_INPUT = kept(Rule.CLOSE_6_MONTHS, kind=Kind.INPUT, subject=False)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One campaign whose export is not what was approved. `id` names it for good: `d_08` is the eighth record.

    `over_by` is decimal text, how much more was spent than approved, where that is among the findings.
    """

    id: str
    campaign_id: str
    name: str
    findings: tuple[str, ...]
    over_by: str | None = None

    @property
    def says(self) -> str:
        """Answer the findings in one line."""
        return "; ".join(self.findings)


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The state of one job. `decimal` is the decimal mark to read both files by, or empty: found in each."""

    account: str = field(metadata=_INPUT)
    owner_id: str = field(metadata=_INPUT)
    approved_ref: str = field(metadata=_INPUT)
    export_name: str = field(metadata=_INPUT)
    export_version: int = field(metadata=_INPUT)
    decimal: str = field(default="", metadata=_INPUT)

    export_ref: str | None = field(default=None, metadata=_KEPT)
    read_as: str = field(default="", metadata=_KEPT)
    campaign_count: int = field(default=0, metadata=_KEPT)
    discrepancies: tuple[Discrepancy, ...] = field(default=(), metadata=_KEPT)
    report_ref: str | None = field(default=None, metadata=_KEPT)
