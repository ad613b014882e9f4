"""Remember: a record with its whole passport, trusted no more than the least of what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select

from core.db.store import Tx
from core.errors import MemoryRefused
from core.keys import random_id
from core.memory.door import check_record, refuse_written_back
from core.memory.expiry import first_expiry
from core.memory.kinds import get_kind
from core.memory.reading import open_text
from core.memory.tables import MemoryRead, MemoryRow
from core.steps import Record
from core.vault.sealing import Keys, Vault

_memories = MemoryRow.__table__  # type: ignore[attr-defined]
_reads = MemoryRead.__table__  # type: ignore[attr-defined]
STATED, ALLOWED, UNTRUSTED = 2, 1, 0
_TRUST = {"person": STATED, "workflow": STATED, "document": UNTRUSTED, "tool": UNTRUSTED, "model": UNTRUSTED}
_ADD = insert(_memories)
_TRUST_OF = select(_memories.c.id, _memories.c.trust).where(
    _memories.c.tenant_id == bindparam("tenant"), _memories.c.id.in_(bindparam("ids", expanding=True))
)
_HANDED = (
    select(_memories)
    .select_from(
        _reads.join(_memories, (_memories.c.tenant_id == _reads.c.tenant_id) & (_memories.c.id == _reads.c.memory_id))
    )
    .where(_reads.c.tenant_id == bindparam("tenant"), _reads.c.thread_id == bindparam("thread"))
)


def remember(  # noqa: PLR0913 - a record's whole passport
    tx: Tx,
    vault: Vault,
    keys: Keys,
    record: Record,
    *,
    source_ref: str,
    now: datetime,
    anchor_id: str | None = None,
    key_hash: str | None = None,
) -> str:
    """Write a record and answer its id; raises MemoryRefused for what the door does not let in.

    `anchor_id` is the role whose events move its expiry. `key_hash` stands in for a key that is known by its hash only.
    """
    check_record(record, source_ref=source_ref, now=now)
    if get_kind(record.kind).has_one_value:
        refuse_written_back(record, list_handed(tx.conn, vault, keys))
    trust = _trust(tx, keys.tenant_id, record)
    memory_id, latest_at = random_id("mem"), first_expiry(record, now)
    row = {
        "tenant_id": keys.tenant_id,
        "id": memory_id,
        "kind": record.kind,
        "owner_id": record.owner_id or keys.tenant_id,
        "key_hash": key_hash or hash_key(vault, keys.tenant_id, record.kind, record.key),
        "source_ref": source_ref,
        "thread_id": keys.thread_id,
        "subject_id": keys.subject_id,
        "rule": str(record.rule),
        "sealed": keys.seal(record.rule, "memories", memory_id, record.text.encode()),
        "confidence": record.confidence,
        "state": "quarantined" if trust == UNTRUSTED else "live",
        "created_at": now,
        "expires_at": latest_at,
        "latest_at": latest_at,
        "origin": record.origin,
        "trust": trust,
        "drawn_from": list(record.drawn_from) or None,
        "anchor_id": anchor_id,
    }
    tx.conn.execute(_ADD, row)
    return memory_id


def list_handed(conn: Connection, vault: Vault, keys: Keys) -> list[tuple[str, str]]:
    """Answer the records that this thread was handed: id and text."""
    rows = conn.execute(_HANDED, {"tenant": keys.tenant_id, "thread": keys.thread_id}).all()
    return [(row.id, text) for row in rows if (text := open_text(vault, row)) is not None]


def _trust(tx: Tx, tenant_id: str, record: Record) -> int:
    lineage = set(record.drawn_from)
    rows = tx.conn.execute(_TRUST_OF, {"tenant": tenant_id, "ids": list(lineage)}).all() if lineage else []
    missing = sorted(lineage - {row.id for row in rows})
    if missing:
        raise MemoryRefused(f"This is said to rest on memory {missing[0]}, which tenant {tenant_id} does not have.")
    return min([_TRUST[record.origin], *(int(row.trust) for row in rows)])


def note_reads(tx: Tx, tenant_id: str, thread_id: str, memory_ids: Sequence[str], now: datetime) -> None:
    """Write that a thread was handed these records."""
    known = tx.conn.execute(
        select(_reads.c.memory_id).where(_reads.c.tenant_id == tenant_id, _reads.c.thread_id == thread_id)
    ).scalars()
    new = set(memory_ids) - set(known)
    if new:
        rows = [{"tenant_id": tenant_id, "thread_id": thread_id, "memory_id": one, "at": now} for one in sorted(new)]
        tx.conn.execute(insert(_reads), rows)


def hash_key(vault: Vault, tenant_id: str, kind: str, key: str) -> str:
    """Hash an exact key for looking a record up; letter case and outer white space do not matter."""
    return vault.lookup_hash(tenant_id, f"memory:{kind}", key.strip().casefold())
