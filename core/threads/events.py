"""What came from outside: stored even when nobody waits yet, once per key, consumed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import func, insert, literal, select, update

from core.db.store import Tx
from core.errors import PayloadMismatch
from core.steps import Json
from core.threads.load import EVENTS_RULE
from core.threads.rows import Thread, threads
from core.threads.tables import EventRow
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
    here = (_events.c.tenant_id == thread.tenant_id) & (_events.c.thread_id == thread.id)
    known = tx.conn.execute(
        select(_events.c.data_hash, _events.c.late, _events.c.received_at).where(
            here, _events.c.name == arrival.name, _events.c.key_hash == arrival.key_hash
        )
    ).first()
    if known is not None:
        if known.data_hash != data_hash:
            raise PayloadMismatch(f"{thread.id} has a {arrival.name} event under this key with other data.")
        return Stored(repeated=True, late=known.late, received_at=known.received_at)
    number = tx.conn.execute(select(func.count()).where(here)).scalar_one() + 1
    late = thread.has_ended or (thread.until_at is not None and now >= thread.until_at)
    tx.conn.execute(
        insert(_events).values(
            tenant_id=thread.tenant_id,
            thread_id=thread.id,
            n=number,
            name=arrival.name,
            key_hash=arrival.key_hash,
            data_hash=data_hash,
            sealed=keys.seal(EVENTS_RULE, "events", f"{thread.id}#{number}", msgspec.json.encode(dict(arrival.data))),
            received_at=now,
            late=late,
        )
    )
    _wake(tx, thread, now)
    return Stored(repeated=False, late=late, received_at=now)


def _wake(tx: Tx, thread: Thread, now: datetime) -> None:
    at = literal(now, threads.c.wake_at.type)
    tx.conn.execute(
        update(threads)
        .where(
            threads.c.tenant_id == thread.tenant_id,
            threads.c.id == thread.id,
            threads.c.status.in_(("ready", "running", "waiting", "awaiting_review")),
        )
        .values(signals=threads.c.signals + 1, wake_at=func.min(func.coalesce(threads.c.wake_at, at), at))
    )
