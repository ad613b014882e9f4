"""What came from outside: stored even when nobody waits yet, once per key, consumed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, case, exists, func, insert, or_, select, update

from core.db.store import Tx
from core.errors import PayloadMismatch
from core.steps import Json
from core.threads.load import EVENTS_RULE
from core.threads.rows import Thread, threads
from core.threads.tables import ENDED, EventRow
from core.vault.sealing import Keys

_events = EventRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event at the door. `key_hash` makes a repetition one event; without a key of its own it is the data's hash."""

    name: str
    data: Mapping[str, Json]
    key_hash: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of an arrival."""

    repeated: bool
    late: bool
    received_at: datetime


def receive(tx: Tx, keys: Keys, thread: Thread, arrival: Arrival, now: datetime) -> Stored:
    """Store an event and wake its thread. `now`, under the write lock, decides whether it is late.

    The same key with the same data answers what was stored first; with other data it is PayloadMismatch.
    """
    data_hash = keys.hash({"name": arrival.name, "data": dict(arrival.data)})
    where = {"tenant": thread.tenant_id, "thread": thread.id}
    known = tx.conn.execute(_KNOWN, {**where, "name": arrival.name, "key": arrival.key_hash}).first()
    if known is not None:
        if known.data_hash != data_hash:
            raise PayloadMismatch(f"{thread.id} has a {arrival.name} event under this key with other data.")
        return Stored(repeated=True, late=known.late, received_at=known.received_at)
    number = tx.conn.execute(_COUNT, where).scalar_one() + 1
    late = thread.has_ended or _is_past(thread, now)
    content = msgspec.json.encode(dict(arrival.data))
    row = {
        "tenant_id": thread.tenant_id,
        "thread_id": thread.id,
        "n": number,
        "name": arrival.name,
        "key_hash": arrival.key_hash,
        "data_hash": data_hash,
        "sealed": keys.seal(EVENTS_RULE, "events", f"{thread.id}#{number}", content),
        "received_at": now,
        "late": late,
    }
    tx.conn.execute(_ADD, row)
    _wake(tx, thread, now)
    return Stored(repeated=False, late=late, received_at=now)


def _is_past(thread: Thread, now: datetime) -> bool:
    """Say whether the wait for an event is over; the end of a hold or of a question is no deadline of events."""
    return thread.waits_for == "event" and thread.until_at is not None and now >= thread.until_at


_HERE = (_events.c.tenant_id == bindparam("tenant"), _events.c.thread_id == bindparam("thread"))
_KNOWN = select(_events.c.data_hash, _events.c.late, _events.c.received_at).where(
    *_HERE, _events.c.name == bindparam("name"), _events.c.key_hash == bindparam("key")
)
_COUNT = select(func.count()).select_from(_events).where(*_HERE)
_ADD = insert(_events)
_NOW = bindparam("now", type_=threads.c.wake_at.type)
_WAKE = (
    update(threads)
    .where(
        threads.c.tenant_id == bindparam("b_tenant"),
        threads.c.id == bindparam("b_id"),
        threads.c.status.in_(("ready", "running", "waiting", "awaiting_review")),
    )
    .values(
        signals=threads.c.signals + 1,
        wake_at=case((threads.c.wake_at <= _NOW, threads.c.wake_at), else_=_NOW),
    )
)


def left_over(tenant_id: str) -> list[ColumnElement[bool]]:
    """Select the events that nothing followed from and that no person has seen.

    They came too late, or their thread ended without them: booked while it was being declined, booked twice.
    """
    ended = exists().where(
        threads.c.tenant_id == _events.c.tenant_id, threads.c.id == _events.c.thread_id, threads.c.status.in_(ENDED)
    )
    without_it = and_(_events.c.consumed_by.is_(None), ended)
    return [_events.c.tenant_id == tenant_id, _events.c.seen_at.is_(None), or_(_events.c.late, without_it)]


def mark_seen(tx: Tx, tenant_id: str, thread_id: str, *, last: int | None, by: str, now: datetime) -> int:
    """Write that a person has seen the left-over events of a thread up to number `last`, and answer how many.

    What came after it was not shown to them; None is for whoever was shown what stands now.
    """
    mine = update(_events).where(*left_over(tenant_id), _events.c.thread_id == thread_id)
    if last is not None:
        mine = mine.where(_events.c.n <= last)
    return tx.conn.execute(mine.values(seen_by=by, seen_at=now)).rowcount


def _wake(tx: Tx, thread: Thread, now: datetime) -> None:
    tx.nudges = True
    tx.conn.execute(_WAKE, {"b_tenant": thread.tenant_id, "b_id": thread.id, "now": now})
