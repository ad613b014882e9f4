"""An invoice held against the ledger: for each model the difference, and what of it is explained by which rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import ColumnElement, Connection, func, select

from core.costs.calls import NOT_BILLED, USAGE_UNKNOWN
from core.costs.invoice import InvoiceLine
from core.costs.money import is_same_model, usd
from core.costs.tables import ModelCall

_calls = ModelCall.__table__  # type: ignore[attr-defined]
_CENT = 10**10
_READ = (
    _calls.c.fresh_tokens + _calls.c.cache_write_5m_tokens + _calls.c.cache_write_1h_tokens + _calls.c.cache_read_tokens
)


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a difference; `amount` is what of it this explains at the most, None where nobody can say."""

    code: str
    sentence: str
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """One model. Amounts are picodollars; `difference` is the invoice less the record, `unexplained` its rest."""

    model: str
    invoiced: int
    recorded: int
    calls: int
    reasons: tuple[Reason, ...]
    unexplained: int

    @property
    def difference(self) -> int:
        """Answer the invoice less the record."""
        return self.invoiced - self.recorded


@dataclass(frozen=True, slots=True)
class Period:
    """The days that an invoice is for, both included, in UTC as providers count them; None is open."""

    first: date | None = None
    last: date | None = None

    def where(self) -> list[ColumnElement[bool]]:
        """Select the calls of these days."""
        found: list[ColumnElement[bool]] = []
        if self.first is not None:
            found.append(_calls.c.opened_at >= datetime.combine(self.first, time(), UTC))
        if self.last is not None:
            found.append(_calls.c.opened_at < datetime.combine(self.last + timedelta(days=1), time(), UTC))
        return found


@dataclass(frozen=True, slots=True)
class _Recorded:
    model: str
    calls: int
    amount: int
    tokens: int
    unknown_calls: int
    estimated: int
    unpriced_calls: int
    unpriced_tokens: int


def hold_against(conn: Connection, tenant_id: str, lines: Sequence[InvoiceLine], period: Period) -> list[Held]:
    """Hold every model of the invoice and of the ledger against the other."""
    rows = _recorded(conn, tenant_id, period)
    named = [_held(line.model, line, [one for one in rows if is_same_model(one.model, line.model)]) for line in lines]
    unnamed = [row for row in rows if not any(is_same_model(row.model, line.model) for line in lines)]
    return [*named, *(_held(row.model, None, [row]) for row in unnamed)]


def _recorded(conn: Connection, tenant_id: str, period: Period) -> list[_Recorded]:
    c = _calls.c
    asked = func.coalesce(c.answered_by, c.model).label("billed")
    query = (
        select(
            asked,
            c.unpriced_why,
            func.count().label("calls"),
            func.sum(c.picodollars).label("amount"),
            func.sum(_READ + c.output_tokens).label("tokens"),
            func.sum(c.estimated_picodollars).label("estimated"),
        )
        .where(c.tenant_id == tenant_id, *period.where())
        .group_by(asked, c.unpriced_why)
    )
    found: dict[str, dict[str, int]] = {}
    for row in conn.execute(query):
        sums = found.setdefault(row.billed, dict.fromkeys(_Recorded.__slots__[1:], 0))
        sums["calls"] += row.calls
        sums["amount"] += int(row.amount or 0)
        sums["tokens"] += int(row.tokens or 0)
        if row.unpriced_why == USAGE_UNKNOWN:
            sums["unknown_calls"] += row.calls
            sums["estimated"] += int(row.estimated or 0)
        elif row.unpriced_why not in (None, NOT_BILLED):
            sums["unpriced_calls"] += row.calls
            sums["unpriced_tokens"] += int(row.tokens or 0)
    return [_Recorded(model, **sums) for model, sums in sorted(found.items())]


def _held(model: str, line: InvoiceLine | None, mine: Sequence[_Recorded]) -> Held:
    invoiced = 0 if line is None else line.amount
    recorded = sum(one.amount for one in mine)
    reasons, rest = [], invoiced - recorded
    for reason in _reasons(line, mine, rest):
        explains = 0 if reason.amount is None else min(abs(rest), reason.amount)
        reasons.append(Reason(reason.code, reason.sentence, None if reason.amount is None else explains))
        rest -= explains if rest > 0 else -explains
    return Held(model, invoiced, recorded, sum(one.calls for one in mine), tuple(reasons), rest)


def _reasons(line: InvoiceLine | None, mine: Sequence[_Recorded], rest: int) -> list[Reason]:
    if rest == 0:
        return []
    if line is None:
        return [Reason("not_invoiced", "The ledger has calls to it and the invoice does not name it.")]
    if not mine:
        return [Reason("not_recorded", "No call to it is in this ledger; the key may be used elsewhere too.")]
    found = [Reason("rounding", f"{line.lines} lines, each rounded to a cent.", line.lines * _CENT // 2)]
    unknown, estimated = sum(one.unknown_calls for one in mine), sum(one.estimated for one in mine)
    if rest > 0 and unknown:
        said = f"{unknown} calls of unknown usage are estimated at up to ${usd(estimated)} and are not recorded."
        found.append(Reason("usage_unknown", said, estimated))
    unpriced, tokens = sum(one.unpriced_calls for one in mine), sum(one.unpriced_tokens for one in mine)
    if rest > 0 and unpriced:
        found.append(Reason("unpriced", f"{unpriced} calls with {tokens:,} tokens have no price here."))
    counted = sum(one.tokens for one in mine)
    if line.tokens is not None and counted and line.tokens != counted:
        said = f"The invoice counts {line.tokens:,} tokens, the ledger {counted:,}."
        found.append(Reason("tokens", said))
    recorded = sum(one.amount for one in mine)
    if line.tokens is not None and line.tokens == counted and recorded:
        share = line.amount / recorded
        said = f"The same tokens at {share:.4f} of the recorded rates: a discount, a tax or other rates."
        found.append(Reason("rates", said, abs(rest)))
    return found
