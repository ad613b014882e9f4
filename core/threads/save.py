"""Write what settled steps established: one statement a table for the whole group, guarded by the lease numbers.

The group shares one savepoint. If a guard does not hold or a row is refused, the group is rolled back and each
thread is settled in a savepoint of its own, so that one thread's trouble is no other's (see docs/adr/0011).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, case, exists, insert, update

from core.clock import pulse
from core.db.store import Tx
from core.db.upsert import Upsert
from core.errors import LeaseLost
from core.steps import Rule
from core.threads.load import StoredEvent
from core.threads.rows import Thread, threads
from core.threads.tables import (
    CheckpointRow,
    CheckpointSection,
    EventRow,
    PlanStep,
    ThreadSection,
)
from core.vault.sealing import Keys
from core.vault.tables import Tombstone

_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]
_checkpoint_sections = CheckpointSection.__table__  # type: ignore[attr-defined]
_sections = ThreadSection.__table__  # type: ignore[attr-defined]
_plan = PlanStep.__table__  # type: ignore[attr-defined]
_events = EventRow.__table__  # type: ignore[attr-defined]
_tombstones = Tombstone.__table__  # type: ignore[attr-defined]
_ADD_CHECKPOINT = insert(_checkpoints)
_ADD_SECTION = insert(_checkpoint_sections)
SUMMARY_RULE = Rule.CLOSE_6_MONTHS


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a thread waits for after a step: `for_` is person, event or time."""

    for_: str
    events: tuple[str, ...] = ()
    until: datetime | None = None
    wake_at: datetime | None = None
    then: str | None = None


@dataclass(frozen=True, slots=True)
class PlanMark:
    """What a settled step leaves in the plan."""

    step: str
    status: str
    summary: str = ""
    receipts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Save:
    """One settled step.

    `goes_on` says that another step follows at once, and `lets_go` that whoever comes may take it; otherwise the lease
    is kept for it. `waiting` is None while the thread goes on, and at its end.
    """

    thread: Thread
    keys: Keys
    step: str
    next_step: str
    status: str
    writes_checkpoint: bool
    changed: Mapping[Rule, bytes]
    current: Mapping[Rule, bytes]
    outcome: str | None = None
    waiting: Waiting | None = None
    goes_on: bool = False
    lets_go: bool = False
    marks: tuple[PlanMark, ...] = ()
    consumed: tuple[StoredEvent, ...] = ()

    @property
    def number(self) -> int:
        """The number of the checkpoint that stands after this settles."""
        return self.thread.checkpoint + int(self.writes_checkpoint)


def save(tx: Tx, saves: Sequence[Save], now: datetime) -> None:
    """Write a group of settled steps; raises LeaseLost when any guard does not hold (then nothing is kept)."""
    _write_threads(tx, saves, now)
    written = [one for one in saves if one.writes_checkpoint]
    if written:
        tx.conn.execute(_ADD_CHECKPOINT, [_checkpoint(one, now) for one in written])
    _write_sections(tx, saves)
    _write_plan(tx, saves, now)
    consumed = [
        {"b_tenant": one.thread.tenant_id, "b_thread": one.thread.id, "b_n": event.n, "by": one.number}
        for one in saves
        for event in one.consumed
    ]
    if consumed:
        tx.conn.execute(_CONSUME, consumed)


def _write_threads(tx: Tx, saves: Sequence[Save], now: datetime) -> None:
    done = tx.conn.execute(_SETTLE, [_settled(one, now) for one in saves])
    if done.rowcount != len(saves):
        lost = ", ".join(one.thread.id for one in saves[:3])
        raise LeaseLost(f"Another worker holds one of these threads now: {lost}; nothing of its step is kept.")


def _settled(one: Save, now: datetime) -> dict[str, object]:
    waiting = one.waiting
    goes_on = one.goes_on
    keeps_lease = goes_on and not one.lets_go
    planned = waiting.wake_at if waiting else (now if goes_on else None)
    return {
        "b_tenant": one.thread.tenant_id,
        "b_id": one.thread.id,
        "b_lease": one.thread.lease_no,
        "b_holder": one.thread.lease_holder,
        "b_subject": one.thread.subject_id,
        "b_signals": one.thread.signals,
        "b_ends": int(waiting is None and not goes_on),
        "b_wake": planned,
        "b_now": now,
        "status": one.status,
        "outcome": one.outcome,
        "step": one.next_step,
        "checkpoint": one.number,
        "waits_for": waiting.for_ if waiting else None,
        "wait_events": list(waiting.events) if waiting else None,
        "since_at": _since(one, now),
        "until_at": waiting.until if waiting else None,
        "then_what": waiting.then if waiting else None,
        "lease_holder": one.thread.lease_holder if keeps_lease else None,
        "lease_pulse": pulse(),
        "updated_at": now,
    }


def _since(one: Save, now: datetime) -> datetime:
    same_wait = (
        one.waiting is not None
        and one.thread.step == one.next_step
        and one.thread.waits_for == one.waiting.for_
        and one.thread.until_at == one.waiting.until
    )
    return one.thread.since_at if same_wait else now


_SETTLE = (
    update(threads)
    .where(
        threads.c.tenant_id == bindparam("b_tenant"),
        threads.c.id == bindparam("b_id"),
        threads.c.lease_no == bindparam("b_lease"),
        threads.c.lease_holder == bindparam("b_holder"),
        ~exists().where(
            and_(
                _tombstones.c.tenant_id == bindparam("b_tenant"),
                _tombstones.c.subject_id == bindparam("b_subject"),
            )
        ),
    )
    .values(
        status=bindparam("status"),
        outcome=bindparam("outcome"),
        step=bindparam("step"),
        checkpoint=bindparam("checkpoint"),
        waits_for=bindparam("waits_for"),
        wait_events=bindparam("wait_events", type_=threads.c.wait_events.type),
        since_at=bindparam("since_at", type_=threads.c.since_at.type),
        until_at=bindparam("until_at", type_=threads.c.until_at.type),
        then_what=bindparam("then_what"),
        # No wake-up is lost: what came while the step ran makes the thread due now.
        wake_at=case(
            (bindparam("b_ends") == 1, None),
            (threads.c.signals == bindparam("b_signals"), bindparam("b_wake", type_=threads.c.wake_at.type)),
            else_=bindparam("b_now", type_=threads.c.wake_at.type),
        ),
        lease_holder=bindparam("lease_holder"),
        lease_pulse=bindparam("lease_pulse"),
        tries=0,
        deaths=0,
        parked_why=None,
        version=threads.c.version + 1,
        updated_at=bindparam("updated_at", type_=threads.c.updated_at.type),
    )
)


def _checkpoint(one: Save, now: datetime) -> dict[str, object]:
    return {
        "tenant_id": one.thread.tenant_id,
        "thread_id": one.thread.id,
        "number": one.number,
        "step": one.step,
        "next_step": one.next_step,
        "cause": "step",
        "at": now,
    }


def _write_sections(tx: Tx, saves: Sequence[Save]) -> None:
    changed, current = [], []
    for one in saves:
        for rule, content in one.changed.items():
            row = {
                "tenant_id": one.thread.tenant_id,
                "thread_id": one.thread.id,
                "rule": str(rule),
                "number": one.number,
            }
            place = f"{one.thread.id}#{one.number}"
            changed.append({**row, "sealed": one.keys.seal(rule, "checkpoint_sections", place, content)})
            whole = one.keys.seal(rule, "thread_sections", one.thread.id, one.current[rule])
            current.append({**row, "sealed": whole})
    if changed:
        tx.conn.execute(_ADD_SECTION, changed)
        _KEEP_SECTION.run(tx.conn, current)


_KEEP_SECTION = Upsert(_sections, ("tenant_id", "thread_id", "rule"), ("number", "sealed"))
_CONSUME = (
    update(_events)
    .where(
        _events.c.tenant_id == bindparam("b_tenant"),
        _events.c.thread_id == bindparam("b_thread"),
        _events.c.n == bindparam("b_n"),
    )
    .values(consumed_by=bindparam("by"))
)
_MARK = (
    update(_plan)
    .where(
        _plan.c.tenant_id == bindparam("b_tenant"),
        _plan.c.thread_id == bindparam("b_thread"),
        _plan.c.step == bindparam("b_step"),
    )
    .values(
        status=bindparam("status"),
        summary=bindparam("summary"),
        receipts=bindparam("receipts", type_=_plan.c.receipts.type),
        done_at=bindparam("done_at", type_=_plan.c.done_at.type),
    )
)


def _write_plan(tx: Tx, saves: Sequence[Save], now: datetime) -> None:
    rows = [
        {
            "b_tenant": one.thread.tenant_id,
            "b_thread": one.thread.id,
            "b_step": mark.step,
            "status": mark.status,
            "summary": seal_summary(one.keys, mark.step, mark.summary),
            "receipts": list(mark.receipts) or None,
            "done_at": None if mark.status == "later" else now,
        }
        for one in saves
        for mark in one.marks
    ]
    if rows:
        tx.conn.execute(_MARK, rows)


def seal_summary(keys: Keys, step: str, summary: str) -> bytes | None:
    """Seal a step's line, or answer None where it left none."""
    return keys.seal(SUMMARY_RULE, "plan_steps", f"{keys.thread_id}#{step}", summary.encode()) if summary else None


def write_summary(tx: Tx, keys: Keys, step: str, summary: str) -> None:
    """Put another line in place of the one that a settled step left; only for a demo's fixture."""
    here = (_plan.c.tenant_id == keys.tenant_id, _plan.c.thread_id == keys.thread_id, _plan.c.step == step)
    tx.conn.execute(update(_plan).where(*here).values(summary=seal_summary(keys, step, summary)))
