"""What happens to many threads of a role at once: pin another version, ask again, say what now goes or does not.

One statement for all of them, whatever their number. Each fences: a step in flight changes nothing when it settles.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, case, literal, select, update

from core.db.store import Tx
from core.threads.rows import threads

_PARKED = threads.c.status == "parked"
_FENCED = {
    "lease_no": threads.c.lease_no + 1,
    "lease_holder": None,
    "signals": threads.c.signals + 1,
    "version": threads.c.version + 1,
}


def repin(tx: Tx, which: Sequence[ColumnElement[bool]], kind: str, version: int, now: datetime) -> int:
    """Pin a version of a kind in these threads, make them due, and answer how many they are.

    A parked one stays parked: its retry goes on under the new version.
    """
    pinned = tx.conn.execute(select(threads.c.configs).where(*which).distinct()).scalars().all()
    moved = 0
    for configs in pinned:  # as many as there are different pins, not threads
        due = {
            name: case((_PARKED, threads.c[name]), else_=literal(value, threads.c[name].type))
            for name, value in {
                "wake_at": now, "status": "ready", "since_at": now, "waits_for": None, "wait_events": None,
                "until_at": None, "then_what": None,
            }.items()
        }  # fmt: skip
        values = {"configs": {**configs, kind: version}, "updated_at": now, **_FENCED, **due}
        moved += tx.conn.execute(update(threads).where(*which, threads.c.configs == configs).values(**values)).rowcount
    return moved


def stand_at_question(tx: Tx, which: Sequence[ColumnElement[bool]], now: datetime) -> None:
    """Let these threads ask at the step they stand at, and wait for a person; a parked one stays parked."""
    tx.conn.execute(
        update(threads)
        .where(*which, ~_PARKED)
        .values(
            status="awaiting_review", waits_for="person", wait_events=None, until_at=None, then_what=None,
            wake_at=now, since_at=now, updated_at=now, **_FENCED,
        )
    )  # fmt: skip


def say_then(tx: Tx, which: Sequence[ColumnElement[bool]], then: str, now: datetime) -> None:
    """Write what happens at the next wake-up of these threads; when that is stays as it was."""
    tx.conn.execute(update(threads).where(*which).values(then_what=then, version=threads.c.version + 1, updated_at=now))


def wake(tx: Tx, which: Sequence[ColumnElement[bool]], now: datetime) -> None:
    """Make these threads due, so that their steps look at what is true now."""
    tx.nudges = True
    tx.conn.execute(
        update(threads).where(*which).values(
            wake_at=now, signals=threads.c.signals + 1, version=threads.c.version + 1, updated_at=now,
        )
    )  # fmt: skip
