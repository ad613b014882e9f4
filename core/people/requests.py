"""Which requests were carried out under which Idempotency-Key. A row is written with what it guards, and kept 24 hours.

Times here are the machine's, never a tenant's business clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from core.db.store import Tx
from core.errors import PayloadMismatch
from core.people.tables import ApiRequestRow
from core.steps import Json

_requests = ApiRequestRow.__table__  # type: ignore[attr-defined]
KEPT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: whose key, the keyed hash of its Idempotency-Key, the keyed hash of all that it asks for."""

    tenant_id: str
    api_key_id: str
    key_hash: str
    body_hash: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What a request came to: its thread, and codes and times. Never a name, a file's name or a text."""

    thread_id: str
    answer: Mapping[str, Json]


def find_answer(conn: Connection, asked: Asked, now: datetime) -> Answered | None:
    """Answer what this request came to before, or None; raises PayloadMismatch where it asked for another thing."""
    row = conn.execute(
        select(_requests).where(
            _requests.c.tenant_id == asked.tenant_id,
            _requests.c.api_key_id == asked.api_key_id,
            _requests.c.key_hash == asked.key_hash,
            _requests.c.answered_at > now - KEPT,
        )
    ).first()
    if row is None:
        return None
    if row.body_hash != asked.body_hash:
        raise PayloadMismatch("This Idempotency-Key was used for another request; take a new key for a new request.")
    return Answered(row.thread_id, row.answer)


def write_answer(tx: Tx, asked: Asked, answered: Answered, now: datetime) -> None:
    """Write what a request came to, in the transaction that made it so; rows that are too old go."""
    tx.conn.execute(delete(_requests).where(_requests.c.answered_at <= now - KEPT))
    tx.conn.execute(
        insert(_requests).values(
            tenant_id=asked.tenant_id,
            api_key_id=asked.api_key_id,
            key_hash=asked.key_hash,
            body_hash=asked.body_hash,
            thread_id=answered.thread_id,
            answer=dict(answered.answer),
            answered_at=now,
        )
    )
