"""A try that did not settle, as a row: the thread is tried again later or parked, and its lease is given back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, update

from core.db.store import Tx
from core.errors import LeaseLost
from core.threads.rows import Thread, threads
from core.threads.save import SUMMARY_RULE
from core.threads.tables import AttemptRow
from core.vault.sealing import Keys

_attempts = AttemptRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Failure:
    """A try that did not settle. `retry_at` is None when the thread is parked instead."""

    thread: Thread
    keys: Keys | None
    code: str
    frame: str
    retry_at: datetime | None


def save_failure(tx: Tx, failure: Failure, now: datetime) -> None:
    """Write a failed try as a row and give the lease back; the thread is due at `retry_at` or parked."""
    thread = failure.thread
    parks = failure.retry_at is None
    done = tx.conn.execute(
        update(threads)
        .where(
            threads.c.tenant_id == thread.tenant_id,
            threads.c.id == thread.id,
            threads.c.lease_no == thread.lease_no,
            threads.c.lease_holder == thread.lease_holder,
        )
        .values(
            status="parked" if parks else "ready",
            parked_why=failure.code if parks else None,
            wake_at=failure.retry_at,
            lease_holder=None,
            tries=threads.c.tries + 1,
            since_at=now if parks else threads.c.since_at,
            version=threads.c.version + 1,
            updated_at=now,
        )
    )
    if done.rowcount == 0:
        raise LeaseLost(f"Another worker holds {thread.id} now; nothing of its step is kept.")
    tx.conn.execute(insert(_attempts).values(**_failed_attempt(failure, now)))


def _failed_attempt(failure: Failure, now: datetime) -> dict[str, object]:
    thread, keys = failure.thread, failure.keys
    place = f"{thread.id}#{thread.lease_no}"
    return {
        "tenant_id": thread.tenant_id,
        "thread_id": thread.id,
        "step": thread.step,
        "checkpoint": thread.checkpoint,
        "lease_no": thread.lease_no,
        "result": "error",
        "code": failure.code,
        "frame": keys and keys.seal(SUMMARY_RULE, "attempts", place, failure.frame.encode()),
        "worker_id": thread.lease_holder,
        "at": now,
    }
