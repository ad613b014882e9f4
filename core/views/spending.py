"""Where the money went: by step and kind of token, by applicant, by cause where it was wasted, over time, and beside it
what the founder spent of her minutes. Amounts are whole picodollars of recorded calls; the other two figures stand in
`core.views.costs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median, quantiles
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, and_, case, cast, func, select, type_coerce

from core.costs.calls import USAGE_UNKNOWN
from core.costs.tables import ModelCall
from core.review.tables import SittingVerdict
from core.threads.rows import threads

_calls = ModelCall.__table__  # type: ignore[attr-defined]
_verdicts = SittingVerdict.__table__  # type: ignore[attr-defined]
KINDS = ("fresh", "cache_write", "cache_read", "output", "thinking")
_DAY, _HOUR = 10, 13  # so much of an instant's text names its day, and its hour
_FEWEST = 4  # quarters of fewer amounts say nothing


@dataclass(frozen=True, slots=True)
class StepTokens:
    """What one step's calls read and wrote; `output` is without `thinking`."""

    step: str
    calls: int
    fresh: int
    cache_write: int
    cache_read: int
    output: int
    thinking: int
    recorded: int

    @property
    def hit_share(self) -> float | None:
        """Answer the share of its input that a cache held; None where nothing was read."""
        read = self.fresh + self.cache_write + self.cache_read
        return self.cache_read / read if read else None


@dataclass(frozen=True, slots=True)
class Wasted:
    """Calls that led nowhere, by cause. `unknown_calls` of them have no recorded amount."""

    cause: str
    calls: int
    recorded: int
    unknown_calls: int


@dataclass(frozen=True, slots=True)
class ThreadCost:
    """What one run's calls came to."""

    thread_id: str
    calls: int
    recorded: int


@dataclass(frozen=True, slots=True)
class PerThread:
    """Every run's cost, the dearest first; those above `fence` stand out (three quarters and a half the box again)."""

    costs: tuple[ThreadCost, ...]
    middle: int
    fence: int

    @property
    def outliers(self) -> tuple[ThreadCost, ...]:
        """Answer the runs that stand out."""
        return tuple(one for one in self.costs if one.recorded > self.fence)


@dataclass(frozen=True, slots=True)
class Burnt:
    """What was recorded within one hour or day, and until its end."""

    at: str
    recorded: int
    until: int


@dataclass(frozen=True, slots=True)
class Minutes:
    """How long people looked before they answered: verdicts whose time is known, and all of it."""

    verdicts: int
    spent: timedelta
    middle: timedelta


def _mine(tenant_id: str, role_id: str | None) -> list[ColumnElement[bool]]:
    here = [_calls.c.tenant_id == tenant_id]
    return here if role_id is None else [*here, _calls.c.role_id == role_id]


def tokens_by_step(conn: Connection, tenant_id: str, role_id: str | None = None) -> list[StepTokens]:
    """Answer what each step's calls used, the most read first."""
    c = _calls.c
    thinking = func.coalesce(c.thinking_tokens, 0)
    rows = conn.execute(
        select(
            c.step,
            func.count(),
            func.sum(c.fresh_tokens),
            func.sum(c.cache_write_5m_tokens + c.cache_write_1h_tokens),
            func.sum(c.cache_read_tokens),
            func.sum(c.output_tokens - thinking),
            func.sum(thinking),
            func.sum(c.picodollars),
        )
        .where(*_mine(tenant_id, role_id), c.fresh_tokens.is_not(None))
        .group_by(c.step)
    )
    found = [StepTokens(row[0], *(int(one or 0) for one in row[1:])) for row in rows]
    return sorted(found, key=lambda one: (-one.fresh - one.cache_write - one.cache_read, one.step))


def waste(conn: Connection, tenant_id: str, role_id: str | None = None) -> list[Wasted]:
    """Answer what led nowhere and why, the dearest first.

    `retried` gave no answer or an unreadable one and was asked again; `truncated` was cut off; `refused` declined;
    `asked twice` was answered and did not fit, or what it rested on moved; `re-scored` was answered, and the step ran
    again later, under another rubric for one.
    """
    c = _calls.c
    answered_in_order = and_(c.status == "answered", c.role_id.is_not(None))
    last = func.max(case((answered_in_order, c.checkpoint))).over(partition_by=(c.thread_id, c.step))
    last_n = func.max(case((answered_in_order, c.n))).over(partition_by=(c.thread_id, c.step, c.checkpoint))
    cause = case(
        (and_(c.status == "unfit", c.stop_reason.in_(("max_tokens", "model_context_window_exceeded"))), "truncated"),
        (and_(c.status == "unfit", c.stop_reason == "refusal"), "refused"),
        (c.status.in_(("unfit", "failed", "unknown", "open")), "retried"),
        (and_(answered_in_order, c.checkpoint < last), "re-scored"),
        (and_(answered_in_order, c.n < last_n), "asked twice"),
    ).label("cause")
    each = (
        select(cause, c.picodollars, (c.unpriced_why == USAGE_UNKNOWN).label("is_unknown"))
        .where(*_mine(tenant_id, role_id))
        .subquery()
    )
    rows = conn.execute(
        select(
            each.c.cause, func.count(), func.sum(each.c.picodollars), func.sum(case((each.c.is_unknown, 1), else_=0))
        )
        .where(each.c.cause.is_not(None))
        .group_by(each.c.cause)
    )
    found = [Wasted(row[0], *(int(one or 0) for one in row[1:])) for row in rows]
    return sorted(found, key=lambda one: (-one.recorded, one.cause))


def cost_by_thread(conn: Connection, tenant_id: str, role_id: str | None = None) -> PerThread:
    """Answer what each run cost, and which stand out."""
    c = _calls.c
    amount = func.sum(c.picodollars).label("amount")
    rows = conn.execute(
        select(c.thread_id, func.count(), amount)
        .where(*_mine(tenant_id, role_id), c.picodollars.is_not(None))
        .group_by(c.thread_id)
        .order_by(amount.desc(), c.thread_id)
    )
    costs = tuple(ThreadCost(row[0], row[1], int(row[2])) for row in rows)
    amounts = [one.recorded for one in costs]
    if len(amounts) < _FEWEST:
        return PerThread(costs, round(median(amounts)) if amounts else 0, max(amounts, default=0))
    low, middle, high = quantiles(amounts, n=4)
    return PerThread(costs, round(middle), round(high + 1.5 * (high - low)))


def burnt(conn: Connection, tenant_id: str, role_id: str | None = None) -> list[Burnt]:
    """Answer what was recorded day by day, or hour by hour where all of it was within two days."""
    c = _calls.c
    mine = [*_mine(tenant_id, role_id), c.picodollars.is_not(None)]
    first, last = conn.execute(select(func.min(c.opened_at), func.max(c.opened_at)).where(*mine)).one()
    if first is None:
        return []
    length = _HOUR if last - first < timedelta(days=2) else _DAY
    at = func.substr(type_coerce(cast(c.opened_at, String), String), 1, length).label("at")
    rows = conn.execute(select(at, func.sum(c.picodollars)).where(*mine).group_by(at).order_by(at))
    found, until = [], 0
    for row in rows:
        until += int(row[1])
        found.append(Burnt(row[0].replace("T", " ") + (":00" if length == _HOUR else ""), int(row[1]), until))
    return found


def minutes_spent(conn: Connection, tenant_id: str, role_id: str | None = None) -> Minutes:
    """Answer how long people looked at what they answered."""
    query = select(_verdicts.c.took_ms).where(_verdicts.c.tenant_id == tenant_id, _verdicts.c.took_ms.is_not(None))
    if role_id is not None:
        query = query.join(
            threads, and_(threads.c.tenant_id == _verdicts.c.tenant_id, threads.c.id == _verdicts.c.thread_id)
        ).where(threads.c.role_id == role_id)
    took: Sequence[Any] = conn.execute(query).scalars().all()
    middle = timedelta(milliseconds=median(took)) if took else timedelta()
    return Minutes(len(took), timedelta(milliseconds=sum(took)), middle)
