"""What calls were expected to cost, held against what they did; and the times at which a role's applicants came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sqlalchemy import Connection, select

from core.costs.tables import ModelCall
from core.threads.rows import threads

_calls = ModelCall.__table__  # type: ignore[attr-defined]
MOST_POINTS = 500


@dataclass(frozen=True, slots=True)
class Forecast:
    """One call: expected and recorded cost in picodollars, and whether what it read lay in its band."""

    thread_id: str
    step: str
    source: str
    expected: int
    recorded: int
    was_in_band: bool


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How one step's forecasts from one source did: recorded over expected in the middle, and the share in the band."""

    step: str
    source: str
    calls: int
    ratio: float
    in_band: float


def list_forecasts(conn: Connection, tenant_id: str, role_id: str | None = None) -> list[Forecast]:
    """Answer the newest calls of which both are known."""
    c = _calls.c
    read = c.fresh_tokens + c.cache_write_5m_tokens + c.cache_write_1h_tokens + c.cache_read_tokens
    query = (
        select(
            c.thread_id, c.step, c.estimate_source, c.forecast_picodollars, c.picodollars,
            read.between(c.estimated_low_tokens, c.estimated_high_tokens),
        )
        .where(c.tenant_id == tenant_id, c.picodollars.is_not(None), c.forecast_picodollars > 0)
        .order_by(c.opened_at.desc(), c.id)
        .limit(MOST_POINTS)
    )  # fmt: skip
    if role_id is not None:
        query = query.where(c.role_id == role_id)
    return [Forecast(row[0], row[1], row[2] or "bytes", row[3], row[4], bool(row[5])) for row in conn.execute(query)]


def accuracy(forecasts: Sequence[Forecast]) -> list[Accuracy]:
    """Answer how the forecasts of each step and source did."""
    groups: dict[tuple[str, str], list[Forecast]] = defaultdict(list)
    for one in forecasts:
        groups[one.step, one.source].append(one)
    return [
        Accuracy(
            step,
            source,
            len(of),
            median(one.recorded / one.expected for one in of),
            sum(one.was_in_band for one in of) / len(of),
        )
        for (step, source), of in sorted(groups.items())
    ]


def arrivals(conn: Connection, tenant_id: str, role_id: str | None) -> list[datetime]:
    """Answer when a role's applicants came, or every role's."""
    query = select(threads.c.created_at).where(threads.c.tenant_id == tenant_id, threads.c.workflow == "screening")
    if role_id is not None:
        query = query.where(threads.c.role_id == role_id)
    return [at for (at,) in conn.execute(query.order_by(threads.c.created_at))]
