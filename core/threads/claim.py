"""Leases: take what is due, give back what a dead worker held.

A claim is one UPDATE that writes the holder and raises the lease number. Everything a step establishes is guarded
by that number, so a worker that lost its lease changes nothing. A holder is gone when its life lock is free, or
when its lease has not been renewed for LEASE_SECONDS of pulse.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, insert, select, update

from core.clock import pulse
from core.db.store import Tx
from core.threads.rows import COLUMNS, Thread, threads, to_thread
from core.threads.tables import AttemptRow

LEASE_SECONDS = 60.0
ALONE_AFTER_DEATHS = 3
PARK_AFTER_DEATHS = 10
_attempts = AttemptRow.__table__  # type: ignore[attr-defined]


_DUE = (
    select(threads.c.id)
    .where(
        threads.c.tenant_id == bindparam("tenant"),
        threads.c.wake_at <= bindparam("now", type_=threads.c.wake_at.type),
        threads.c.lease_holder.is_(None),
    )
    .limit(1)
)


def count_due(conn: Connection, tenant_id: str, now: datetime, *, most: int) -> int:
    """Count what is due in a tenant and not taken, as far as `most`."""
    return len(conn.execute(_DUE.limit(most), {"tenant": tenant_id, "now": now}).all())


def has_due(conn: Connection, tenant_id: str, now: datetime) -> bool:
    """Say whether anything is due in a tenant and not taken."""
    return conn.execute(_DUE, {"tenant": tenant_id, "now": now}).first() is not None


def claim_due(
    tx: Tx, tenant_id: str, worker_id: str, now: datetime, *, most: int, beside_others: bool = False
) -> list[Thread]:
    """Take up to `most` threads that are due, oldest first.

    A thread whose step has killed its process ALONE_AFTER_DEATHS times in a row is only ever taken alone, and not at
    all where its worker has others in hand.
    """
    due = (
        select(threads.c.id, threads.c.deaths)
        .where(threads.c.tenant_id == tenant_id, threads.c.wake_at <= now, threads.c.lease_holder.is_(None))
        .order_by(threads.c.wake_at, threads.c.id)
        .limit(most)
    )
    if beside_others:
        due = due.where(threads.c.deaths < ALONE_AFTER_DEATHS)
    found = [(row.id, row.deaths) for row in tx.conn.execute(due)]
    together = [thread_id for thread_id, deaths in found if deaths < ALONE_AFTER_DEATHS]
    ids = together if beside_others else together or [thread_id for thread_id, _ in found[:1]]
    if not ids:
        return []
    rows = tx.conn.execute(
        update(threads)
        .where(threads.c.tenant_id == tenant_id, threads.c.id.in_(ids), threads.c.lease_holder.is_(None))
        .values(status="running", lease_holder=worker_id, lease_no=threads.c.lease_no + 1, lease_pulse=pulse())
        .returning(*COLUMNS)
    )
    return sorted((to_thread(row) for row in rows), key=lambda thread: (thread.wake_at or now, thread.id))


def claim_one(tx: Tx, seen: Thread, worker_id: str, now: datetime) -> Thread | None:
    """Take one thread if it is due, nobody holds it, and it stands at the checkpoint that it was seen at."""
    row = tx.conn.execute(
        update(threads)
        .where(
            _is(seen),
            threads.c.checkpoint == seen.checkpoint,
            threads.c.wake_at <= now,
            threads.c.lease_holder.is_(None),
        )
        .values(status="running", lease_holder=worker_id, lease_no=threads.c.lease_no + 1, lease_pulse=pulse())
        .returning(*COLUMNS)
    ).first()
    return None if row is None else to_thread(row)


def renew(tx: Tx, worker_id: str, but_not: Sequence[Thread] = ()) -> None:
    """Renew every lease this worker holds, but not those of threads that hang."""
    held = update(threads).where(threads.c.lease_holder == worker_id)
    for hangs in but_not:
        held = held.where(~_is(hangs))
    tx.conn.execute(held.values(lease_pulse=pulse()))


def renew_one(tx: Tx, thread: Thread) -> None:
    """Renew the lease under which one thread was claimed, if it still stands."""
    lease = (threads.c.lease_no == thread.lease_no, threads.c.lease_holder == thread.lease_holder)
    tx.conn.execute(update(threads).where(_is(thread), *lease).values(lease_pulse=pulse()))


def _is(thread: Thread) -> ColumnElement[bool]:
    here: ColumnElement[bool] = and_(threads.c.tenant_id == thread.tenant_id, threads.c.id == thread.id)
    return here


def give_back(tx: Tx, worker_id: str) -> None:
    """Give back every lease this worker holds; the threads are due as they were."""
    tx.conn.execute(
        update(threads).where(threads.c.lease_holder == worker_id).values(lease_holder=None, status="ready")
    )


def holds_any(conn: Connection, worker_id: str) -> bool:
    """Say whether a worker holds any lease."""
    return conn.execute(select(threads.c.id).where(threads.c.lease_holder == worker_id).limit(1)).first() is not None


def let_go(tx: Tx, thread: Thread) -> None:
    """Give the lease back under which one thread was seen; it is due as it was."""
    lease = (threads.c.lease_no == thread.lease_no, threads.c.lease_holder == thread.lease_holder)
    tx.conn.execute(update(threads).where(_is(thread), *lease).values(lease_holder=None, status="ready"))


def list_held(conn: Connection, tenant_id: str, worker_id: str, thread_ids: Sequence[str]) -> list[Thread]:
    """Answer those of these threads whose lease this worker still holds, as they stand now."""
    here = (threads.c.tenant_id == tenant_id) & (threads.c.lease_holder == worker_id)
    query = select(*COLUMNS).where(here, threads.c.id.in_(list(thread_ids))).order_by(threads.c.id)
    return [to_thread(row) for row in conn.execute(query)]


def is_held(tx: Tx, thread: Thread) -> bool:
    """Say whether the lease under which this thread was claimed still stands."""
    lease = select(threads.c.lease_no, threads.c.lease_holder).where(
        threads.c.tenant_id == thread.tenant_id, threads.c.id == thread.id
    )
    return tx.conn.execute(lease).first() == (thread.lease_no, thread.lease_holder)


@dataclass(frozen=True, slots=True)
class Takeover:
    """A thread taken from a holder that is gone. `died` says that its step was being performed then."""

    thread: Thread
    died: bool
    parked: bool


def take_over(
    tx: Tx,
    tenant_id: str,
    now: datetime,
    *,
    is_gone: Callable[[str], bool],
    performed_by: Callable[[str], Container[str]],
) -> list[Takeover]:
    """Give back every lease whose holder is gone; the threads are due at once.

    `performed_by` answers "tenant thread" of all that a holder performed last; a death is counted against those threads
    only, not against the others that it held.
    """
    held = tx.conn.execute(
        select(*COLUMNS, threads.c.lease_pulse).where(
            threads.c.tenant_id == tenant_id, threads.c.lease_holder.is_not(None)
        )
    ).all()
    limit = pulse() - LEASE_SECONDS
    gone = {holder: is_gone(holder) for holder in {row.lease_holder for row in held}}
    taken = []
    for row in held:
        thread = to_thread(row[:-1])
        holder = row.lease_holder
        if gone[holder] or row.lease_pulse < limit or row.lease_pulse > pulse():
            died = gone[holder] and f"{tenant_id} {thread.id}" in performed_by(holder)
            taken.append(Takeover(thread, died, died and thread.deaths + 1 >= PARK_AFTER_DEATHS))
    _give_back(tx, taken, now)
    return taken


def _give_back(tx: Tx, taken: Sequence[Takeover], now: datetime) -> None:
    for one in taken:
        here = (threads.c.tenant_id == one.thread.tenant_id) & (threads.c.id == one.thread.id)
        parked = {"status": "parked", "parked_why": "died_too_often", "wake_at": None, "since_at": now}
        tx.conn.execute(
            update(threads)
            .where(here, threads.c.lease_no == one.thread.lease_no)
            .values(
                lease_holder=None,
                deaths=threads.c.deaths + int(one.died),
                updated_at=now,
                **(parked if one.parked else {"status": "ready", "wake_at": now}),
            )
        )
    rows = [
        {
            "tenant_id": one.thread.tenant_id,
            "thread_id": one.thread.id,
            "step": one.thread.step,
            "checkpoint": one.thread.checkpoint,
            "lease_no": one.thread.lease_no,
            "result": "died",
            "code": "process_died",
            "worker_id": one.thread.lease_holder,
            "at": now,
        }
        for one in taken
        if one.died
    ]
    if rows:
        tx.conn.execute(insert(_attempts), rows)


def count_progress(tx: Tx, tenant_id: str, thread_ids: Sequence[str]) -> None:
    """Set the deaths of threads that got further to 0."""
    tx.conn.execute(
        update(threads)
        .where(threads.c.tenant_id == tenant_id, threads.c.id == bindparam("b_id"), threads.c.deaths > 0)
        .values(deaths=0),
        [{"b_id": thread_id} for thread_id in thread_ids],
    )


def next_wake(tx: Tx, tenant_id: str) -> datetime | None:
    """Answer when the tenant's next timer is due, or None."""
    return tx.conn.execute(
        select(func.min(threads.c.wake_at)).where(threads.c.tenant_id == tenant_id)
    ).scalar_one_or_none()
