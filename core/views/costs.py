"""What models cost: sums of a tenant or a role, and the calls of one thread.

Recorded, estimated and unpriced stand side by side and are never added together (contract C13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from core.context.tables import ManifestRow
from core.costs.calls import NOT_BILLED, USAGE_UNKNOWN
from core.costs.tables import ModelCall
from core.threads.rows import threads

_calls = ModelCall.__table__  # type: ignore[attr-defined]
_manifests = ManifestRow.__table__  # type: ignore[attr-defined]
_LOOKED_AT = 100
_INPUT = (
    _calls.c.fresh_tokens + _calls.c.cache_write_5m_tokens + _calls.c.cache_write_1h_tokens + _calls.c.cache_read_tokens
)


@dataclass(frozen=True, slots=True)
class ModelCosts:
    """One model's calls. Amounts are picodollars.

    `recorded` sums the calls whose usage and price are known. `estimated` sums those of unknown usage, of which there
    are `unknown_calls`. `unpriced_calls` are in neither; `unpriced_tokens` is what they are known to have used.
    `unbilled_calls` came back as errors and cost nothing.
    """

    model: str
    calls: int = 0
    recorded: int = 0
    estimated: int = 0
    unknown_calls: int = 0
    unpriced_calls: int = 0
    unpriced_tokens: int = 0
    unbilled_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Costs:
    """The calls of a tenant or a role, model by model."""

    models: Sequence[ModelCosts]

    def total(self, name: str) -> int:
        """Add up one field over all models."""
        return sum(getattr(one, name) for one in self.models)


@dataclass(frozen=True, slots=True)
class CallSize:
    """The tokens of a call on average; `output` is None where no call was made that would tell."""

    input: int
    output: int | None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a thread. Counts are None where its usage is unknown, `picodollars` where nobody can say."""

    id: str
    step: str
    model: str
    status: str
    why: str | None
    request_id: str | None
    stop_reason: str | None
    fresh: int | None
    cache_write_5m: int | None
    cache_write_1h: int | None
    cache_read: int | None
    output: int | None
    thinking: int | None
    picodollars: int | None
    unpriced_why: str | None
    estimated: int | None
    opened_at: datetime
    closed_at: datetime | None

    @property
    def is_usage_unknown(self) -> bool:
        """Say whether nobody knows what it used: it is still out, or its process died, or it was cut off."""
        return self.status in ("open", "unknown")


def read_costs(conn: Connection, tenant_id: str, role_id: str | None = None) -> Costs:
    """Answer what a tenant's calls cost, or those of one role."""
    query = (
        select(
            _calls.c.model,
            _calls.c.unpriced_why,
            _calls.c.estimated_picodollars.is_(None).label("has_no_estimate"),
            func.count().label("calls"),
            func.sum(_calls.c.picodollars).label("recorded"),
            func.sum(_calls.c.estimated_picodollars).label("estimated"),
            func.sum(_INPUT).label("input"),
            func.sum(_calls.c.output_tokens).label("output"),
        )
        .where(_calls.c.tenant_id == tenant_id)
        .group_by(_calls.c.model, _calls.c.unpriced_why, _calls.c.estimated_picodollars.is_(None))
        .order_by(_calls.c.model)
    )
    if role_id is not None:
        query = query.where(_calls.c.role_id == role_id)
    by_model: dict[str, list[Row[Any]]] = {}
    for row in conn.execute(query):
        by_model.setdefault(row.model, []).append(row)
    return Costs([_added_up(model, rows) for model, rows in by_model.items()])


def _added_up(model: str, rows: Sequence[Row[Any]]) -> ModelCosts:
    unknown = [row for row in rows if row.unpriced_why == USAGE_UNKNOWN and not row.has_no_estimate]
    unbilled = [row for row in rows if row.unpriced_why == NOT_BILLED]
    unpriced = [row for row in rows if row.unpriced_why is not None and row not in unknown and row not in unbilled]
    return ModelCosts(
        model,
        calls=_sum(rows, "calls"),
        recorded=_sum(rows, "recorded"),
        estimated=_sum(unknown, "estimated"),
        unknown_calls=_sum(unknown, "calls"),
        unpriced_calls=_sum(unpriced, "calls"),
        unpriced_tokens=_sum(unpriced, "input") + _sum(unpriced, "output"),
        unbilled_calls=_sum(unbilled, "calls"),
        input_tokens=_sum(rows, "input"),
        output_tokens=_sum(rows, "output"),
    )


def _sum(rows: Sequence[Row[Any]], name: str) -> int:
    return sum(int(getattr(row, name) or 0) for row in rows)  # PostgreSQL sums whole numbers to a Decimal


def read_call_size(conn: Connection, tenant_id: str, role_id: str, model: str) -> CallSize | None:
    """Answer how large this model's answered calls for a role were on average, else how large what was scored was.

    None where nothing of the role was scored.
    """
    mine = (_calls.c.tenant_id == tenant_id, _calls.c.role_id == role_id, _calls.c.model == model)
    row = conn.execute(
        select(func.count().label("calls"), func.sum(_INPUT).label("input"), func.sum(_calls.c.output_tokens)).where(
            *mine, _calls.c.status == "answered"
        )
    ).one()
    if row.calls:
        return CallSize(int(row[1]) // row.calls, int(row[2]) // row.calls)
    packets = conn.execute(
        select(_manifests.c["items"])
        .join(threads, (threads.c.tenant_id == _manifests.c.tenant_id) & (threads.c.id == _manifests.c.thread_id))
        .where(threads.c.tenant_id == tenant_id, threads.c.role_id == role_id)
        .order_by(_manifests.c.at.desc(), _manifests.c.thread_id)
        .limit(_LOOKED_AT)
    ).scalars()
    sizes = [sum(item["tokens"] for item in items) for items in packets]
    return CallSize(sum(sizes) // len(sizes), None) if sizes else None


def list_calls(conn: Connection, tenant_id: str, thread_id: str) -> list[Call]:
    """Answer a thread's calls, oldest first."""
    rows = conn.execute(
        select(
            _calls.c.id, _calls.c.step, func.coalesce(_calls.c.answered_by, _calls.c.model), _calls.c.status,
            _calls.c.why, _calls.c.request_id, _calls.c.stop_reason, _calls.c.fresh_tokens,
            _calls.c.cache_write_5m_tokens, _calls.c.cache_write_1h_tokens, _calls.c.cache_read_tokens,
            _calls.c.output_tokens, _calls.c.thinking_tokens, _calls.c.picodollars, _calls.c.unpriced_why,
            _calls.c.estimated_picodollars, _calls.c.opened_at, _calls.c.closed_at,
        )
        .where(_calls.c.tenant_id == tenant_id, _calls.c.thread_id == thread_id)
        .order_by(_calls.c.n)
    )  # fmt: skip
    return [Call(*tuple(row)) for row in rows]
