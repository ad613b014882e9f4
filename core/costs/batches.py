"""Calls that went, or are to go, into a batch: found by their thread's step, and given the batch's id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from core.costs.tables import ModelCall
from core.db.store import Tx

_calls = ModelCall.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class BatchCall:
    """One call of a batch. `batch_id` is None until the batch is sent; `asked_hash` is of what was asked."""

    id: str
    status: str
    batch_id: str | None
    asked_hash: str | None


def find_batch_call(conn: Connection, tenant_id: str, thread_id: str, step: str, asked: str) -> BatchCall | None:
    """Answer the newest batch call of a step that is still out, or that asked for just this; else None."""
    c = _calls.c
    row = conn.execute(
        select(c.id, c.status, c.batch_id, c.asked_hash)
        .where(c.tenant_id == tenant_id, c.thread_id == thread_id, c.step == step, c.processing == "batch")
        .where((c.status == "open") | (c.asked_hash == asked))
        .order_by(c.n.desc())
        .limit(1)
    ).first()
    return None if row is None else BatchCall(*tuple(row))


def note_sent(tx: Tx, tenant_id: str, call_ids: Sequence[str], batch_id: str) -> None:
    """Write which batch these calls went into."""
    tx.conn.execute(
        update(_calls).where(_calls.c.tenant_id == tenant_id, _calls.c.id.in_(list(call_ids))).values(batch_id=batch_id)
    )


def threads_of(conn: Connection, tenant_id: str, call_ids: Sequence[str]) -> list[str]:
    """Answer the threads of calls."""
    rows = conn.execute(
        select(_calls.c.thread_id).where(_calls.c.tenant_id == tenant_id, _calls.c.id.in_(list(call_ids)))
    )
    return [thread_id for (thread_id,) in rows]
