"""What a person may do to a thread's row: wake it, retry, park, cancel, put it back at its question.

Each fences: it raises the lease number, so that a step in flight changes nothing when it settles.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Boolean, bindparam, case, insert, update

from core.db.store import Tx
from core.errors import BadInput
from core.threads.rows import Thread, threads
from core.threads.tables import CheckpointRow, PlanStep

_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]
_plan = PlanStep.__table__  # type: ignore[attr-defined]
CARRIED_OUT = "the decision is carried out"


def wake_when_released(tx: Tx, thread: Thread, release_at: datetime, now: datetime, *, still_asks: bool) -> None:
    """Raise the thread's signals and make it due when a decision's hold ends, if nothing makes it due before.

    Until then it is shown as waiting, unless it still asks something else. A parked thread stays parked: the decision
    is kept, and a retry takes it up.
    """
    values = {"wake_at": release_at, "updated_at": now, "still_asks": still_asks}
    tx.conn.execute(_WAKE, {"b_tenant": thread.tenant_id, "b_id": thread.id, **values})


_NOT_HELD = threads.c.lease_holder.is_(None)
_PARKED = threads.c.status == "parked"
_INSTANT = threads.c.wake_at.type
_AT_ITS_QUESTION = _NOT_HELD & ~_PARKED & (threads.c.waits_for == "person") & ~bindparam("still_asks", type_=Boolean)
_SOONER = threads.c.wake_at <= bindparam("wake_at", type_=_INSTANT)
_WAKE = (
    update(threads)
    .where(threads.c.tenant_id == bindparam("b_tenant"), threads.c.id == bindparam("b_id"))
    .values(
        signals=threads.c.signals + 1,
        version=threads.c.version + 1,
        wake_at=case((_PARKED | _SOONER, threads.c.wake_at), else_=bindparam("wake_at", type_=_INSTANT)),
        updated_at=bindparam("updated_at", type_=_INSTANT),
        status=case((_AT_ITS_QUESTION, "waiting"), else_=threads.c.status),
        since_at=case((_AT_ITS_QUESTION, bindparam("updated_at", type_=_INSTANT)), else_=threads.c.since_at),
        until_at=case((_AT_ITS_QUESTION, bindparam("wake_at", type_=_INSTANT)), else_=threads.c.until_at),
        then_what=case((_AT_ITS_QUESTION, CARRIED_OUT), else_=threads.c.then_what),
        waits_for=case((_AT_ITS_QUESTION, "time"), else_=threads.c.waits_for),
    )
)


def wake(tx: Tx, thread: Thread, now: datetime) -> None:
    """Raise the thread's signals and make it due now, if it waits or is at work; a parked one stays parked."""
    tx.nudges = True
    tx.conn.execute(
        update(threads)
        .where(
            threads.c.tenant_id == thread.tenant_id,
            threads.c.id == thread.id,
            threads.c.status.in_(("ready", "running", "waiting", "awaiting_review")),
        )
        .values(
            signals=threads.c.signals + 1,
            version=threads.c.version + 1,
            wake_at=case((threads.c.wake_at <= now, threads.c.wake_at), else_=bindparam("now", now, _INSTANT)),
            updated_at=now,
        )
    )


def refuse_ended(thread: Thread) -> None:
    """Raise BadInput where nothing more happens in the thread."""
    if thread.has_ended:
        raise BadInput(f"{thread.id} has ended ({thread.outcome or thread.status}); nothing is left to change.")


def retry(tx: Tx, thread: Thread, now: datetime) -> None:
    """Make a parked thread due at once, its tries and deaths forgotten."""
    if thread.status != "parked":
        raise BadInput(f"{thread.id} is {thread.status}, not parked; only a parked thread is retried.")
    _change(
        tx, thread, now, status="ready", parked_why=None, wake_at=now, tries=0, deaths=0,
        signals=threads.c.signals + 1, version=threads.c.version + 1,
    )  # fmt: skip


def park(tx: Tx, thread: Thread, now: datetime, *, why: str) -> None:
    """Stop a thread where it stands, repairably."""
    refuse_ended(thread)
    _fence(tx, thread, now, status="parked", parked_why=why, wake_at=None, since_at=now)


def cancel(tx: Tx, thread: Thread, now: datetime) -> None:
    """End a thread; what was not done of its plan is stopped."""
    refuse_ended(thread)
    _fence(
        tx, thread, now, status="failed", outcome="cancelled", wake_at=None, waits_for=None, wait_events=None,
        until_at=None, then_what=None, parked_why=None, since_at=now,
    )  # fmt: skip
    tx.conn.execute(update(_plan).where(_of(thread), _plan.c.status == "later").values(status="stopped"))


def put_back(tx: Tx, thread: Thread, step: str, now: datetime, *, cause: str, asks_again: bool) -> None:
    """Put a thread back at the step that asked, as its own checkpoint; steps after it are ahead again.

    With `asks_again` the step runs once more, so that the question is asked on what is true now. A thread that a person
    parked stays parked: a retry makes its step run.
    """
    stands = {"status": "awaiting_review", "since_at": now, "wake_at": now if asks_again else None, "parked_why": None}
    if thread.is_parked_by_hand:
        stands = {}
    _fence(
        tx, thread, now, step=step, waits_for="person", wait_events=None, until_at=None, then_what=None,
        checkpoint=threads.c.checkpoint + 1, **stands,
    )  # fmt: skip
    tx.conn.execute(
        insert(_checkpoints).values(
            tenant_id=thread.tenant_id,
            thread_id=thread.id,
            number=thread.checkpoint + 1,
            step=thread.step,
            next_step=step,
            cause=cause,
            at=now,
        )
    )
    asked_at = tx.conn.execute(
        _plan.select().with_only_columns(_plan.c.position).where(_of(thread), _plan.c.step == step)
    ).scalar_one()
    tx.conn.execute(
        update(_plan)
        .where(_of(thread), _plan.c.position >= asked_at)
        .values(status="later", summary=None, receipts=None, done_at=None)
    )


def go_to_step(tx: Tx, thread: Thread, step: str, now: datetime) -> None:
    """Let a thread whose plan was written by hand stand at a step; what it waits for stands, unless the step is new."""
    moved = {} if step == thread.step else {"step": step, "status": "ready", "wake_at": now, "since_at": now}
    if thread.status == "parked":
        moved = {"step": step}
    _change(tx, thread, now, signals=threads.c.signals + 1, version=threads.c.version + 1, **moved)


def rename_ahead(tx: Tx, thread: Thread, renamed: Mapping[str, str]) -> None:
    """Give the steps ahead in a thread's plan the names that the loaded code has for them.

    The step that the thread stands at keeps its name until the thread goes on: its question is kept under it.
    """
    for before, now in renamed.items():
        if before != thread.step:
            ahead = (_of(thread), _plan.c.step == before, _plan.c.status == "later")
            tx.conn.execute(update(_plan).where(*ahead).values(step=now))


def _of(thread: Thread):  # type: ignore[no-untyped-def]
    return (_plan.c.tenant_id == thread.tenant_id) & (_plan.c.thread_id == thread.id)


def _fence(tx: Tx, thread: Thread, now: datetime, **values: object) -> None:
    _change(
        tx, thread, now, lease_no=threads.c.lease_no + 1, lease_holder=None, signals=threads.c.signals + 1,
        version=threads.c.version + 1, **values,
    )  # fmt: skip


def _change(tx: Tx, thread: Thread, now: datetime, **values: object) -> None:
    tx.conn.execute(
        update(threads)
        .where(threads.c.tenant_id == thread.tenant_id, threads.c.id == thread.id)
        .values(updated_at=now, **values)
    )
