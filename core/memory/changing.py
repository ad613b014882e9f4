"""What a person may do to a record. Each is a new version; a change that touched no row says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, select, update

from core.db.store import Tx
from core.errors import BadInput, NotFound
from core.memory.memory import ALLOWED
from core.memory.reading import find_row
from core.memory.tables import MemoryRead, MemoryRow

_memories = MemoryRow.__table__  # type: ignore[attr-defined]
_reads = MemoryRead.__table__  # type: ignore[attr-defined]


def allow(tx: Tx, tenant_id: str, memory_id: str, *, by: str) -> int:
    """Let a quarantined record be read; raises BadInput for another. What rests on it is trusted as far."""
    row = _standing(tx, tenant_id, memory_id)
    if row.state != "quarantined":
        raise BadInput(f"Memory {memory_id} is {row.state}, not quarantined; there is nothing to allow.")
    return _change(tx, row, state="live", trust=ALLOWED, changed_by=by)


def refuse(tx: Tx, tenant_id: str, memory_id: str, *, by: str, now: datetime) -> int:
    """Say no to a quarantined record: it is forgotten; restored, it is quarantined as before."""
    row = _standing(tx, tenant_id, memory_id)
    if row.state != "quarantined":
        raise BadInput(f"Memory {memory_id} is {row.state}, not quarantined; forget it instead.")
    return _change(tx, row, deleted_at=now, deleted_why="refused", changed_by=by)


def forget(tx: Tx, tenant_id: str, memory_id: str, *, by: str, now: datetime) -> int:
    """Take a record out of every read and list at once; it can be restored until it is purged or expires."""
    row = _standing(tx, tenant_id, memory_id)
    return _change(tx, row, deleted_at=now, deleted_why="forgotten", changed_by=by)


def restore(tx: Tx, tenant_id: str, memory_id: str, *, by: str) -> int:
    """Bring a forgotten record back as it stood; its expiry is what it was."""
    row = _row(tx, tenant_id, memory_id)
    if row.deleted_at is None:
        raise BadInput(f"Memory {memory_id} was not forgotten; there is nothing to restore.")
    return _change(tx, row, deleted_at=None, deleted_why=None, changed_by=by)


def supersede(tx: Tx, tenant_id: str, memory_id: str, new_id: str, *, by: str) -> int:
    """Say that another record of the same kind, key and owner stands in this one's place."""
    row, new = _standing(tx, tenant_id, memory_id), _standing(tx, tenant_id, new_id)
    if (row.kind, row.key_hash, row.owner_id) != (new.kind, new.key_hash, new.owner_id) or row.id == new.id:
        raise BadInput(f"Memory {new_id} is not about the same as {memory_id}; it cannot stand in its place.")
    if row.state == "superseded":
        raise BadInput(f"Memory {memory_id} was superseded already, by {row.superseded_by}.")
    if new.state != "live":
        raise BadInput(f"Memory {new_id} is {new.state} and cannot stand in another's place.")
    return _change(tx, row, state="superseded", superseded_by=new_id, changed_by=by)


def set_expiry(tx: Tx, tenant_id: str, memory_id: str, at: datetime, *, by: str) -> int:
    """Let a record's life end at another time; raises BadInput beyond `latest_for`. No event lengthens it again."""
    row = _standing(tx, tenant_id, memory_id)
    return _change(tx, row, expires_at=at, latest_at=at, changed_by=by)


def expire(tx: Tx, tenant_id: str, memory_id: str, *, by: str, now: datetime) -> int:
    """End a record's life now; it is never lengthened."""
    row = _standing(tx, tenant_id, memory_id)
    if row.expires_at <= now:
        raise BadInput(f"Memory {memory_id} has expired already.")
    return _change(tx, row, expires_at=now, changed_by=by)


def purge(tx: Tx, tenant_id: str, memory_ids: Sequence[str]) -> list[str]:
    """Delete records for good, and answer the places whose keys nothing needs any more."""
    rows = [_row(tx, tenant_id, one) for one in memory_ids]
    for table, column in ((_reads, _reads.c.memory_id), (_memories, _memories.c.id)):
        tx.conn.execute(delete(table).where(table.c.tenant_id == tenant_id, column.in_([row.id for row in rows])))
    return sorted({row.thread_id for row in rows if is_own_place(row.thread_id)})


def list_expired(tx: Tx, tenant_id: str, now: datetime) -> list[str]:
    """Answer the records whose time has come; reads leave them out already, removing them frees the space."""
    return list(
        tx.conn.execute(
            select(_memories.c.id)
            .where(_memories.c.tenant_id == tenant_id, _memories.c.expires_at <= now)
            .order_by(_memories.c.id)
        ).scalars()
    )


def place_of(number: str) -> str:
    """Name the keys of a record that belongs to no thread."""
    return f"memory/{number}"


def is_own_place(thread_id: str) -> bool:
    """Say whether these keys were made for one record that belongs to no thread."""
    return thread_id.startswith("memory/")


def _standing(tx: Tx, tenant_id: str, memory_id: str) -> Row[Any]:
    row = _row(tx, tenant_id, memory_id)
    if row.deleted_at is not None:
        raise NotFound(f"Memory {memory_id} was forgotten; restore it first.")
    return row


def _row(tx: Tx, tenant_id: str, memory_id: str) -> Row[Any]:
    row = find_row(tx.conn, tenant_id, memory_id)
    if row is None:
        raise NotFound(f"There is no memory {memory_id!r} in tenant {tenant_id}.")
    return row


def _change(tx: Tx, row: Row[Any], **values: object) -> int:
    tx.conn.execute(
        update(_memories)
        .where(_memories.c.tenant_id == row.tenant_id, _memories.c.id == row.id, _memories.c.version == row.version)
        .values(version=row.version + 1, **values)
    )
    return int(row.version) + 1
