"""A thread that stands still because nothing may leave: it waits for a switch, and no try is used up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import case, literal, update

from core.db.store import Tx
from core.threads.rows import Thread, threads


def stall(tx: Tx, thread: Thread, why: str, now: datetime) -> bool:
    """Give a claimed thread back to wait; False where the lease is another's. What came meanwhile makes it due at once.

    What it waited for before stands, so that an event still finds it and its deadline still comes.
    """
    deadline = thread.until_at if thread.until_at is not None and thread.until_at > now else None
    instant = threads.c.wake_at.type
    done = tx.conn.execute(
        update(threads)
        .where(
            threads.c.tenant_id == thread.tenant_id,
            threads.c.id == thread.id,
            threads.c.lease_no == thread.lease_no,
            threads.c.lease_holder == thread.lease_holder,
        )
        .values(
            status="waiting",
            parked_why=why,
            wake_at=case(
                (threads.c.signals == thread.signals, literal(deadline, instant)), else_=literal(now, instant)
            ),
            lease_holder=None,
            since_at=thread.since_at if thread.parked_why == why else now,
            version=threads.c.version + 1,
            updated_at=now,
        )
    )
    return done.rowcount == 1


def wake_stalled(tx: Tx, tenant_id: str, thread_ids: Sequence[str], now: datetime) -> None:
    """Make stalled threads due; one that a worker is about to stall is due as soon as it is given back."""
    if thread_ids:
        tx.nudges = True
        tx.conn.execute(
            update(threads)
            .where(
                threads.c.tenant_id == tenant_id,
                threads.c.id.in_(list(thread_ids)),
                threads.c.status.in_(("waiting", "running")),
            )
            .values(
                signals=threads.c.signals + 1,
                version=threads.c.version + 1,
                wake_at=case(
                    (threads.c.status == "waiting", literal(now, threads.c.wake_at.type)), else_=threads.c.wake_at
                ),
            )
        )
