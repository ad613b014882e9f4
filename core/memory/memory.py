"""Remember, and read by exact key. A record past its expiry is gone from reads at that instant, swept or not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Row, bindparam, insert, select

from core.db.store import Tx
from core.errors import OutcomeRefused
from core.keys import random_id
from core.memory.tables import MemoryRow
from core.steps import Recalled, Record, Rule
from core.vault.sealing import Keys, Vault

_memories = MemoryRow.__table__  # type: ignore[attr-defined]

# The longest life of each kind. A rule's own event (the role closes, a rubric version ends) may shorten it.
LONGEST = {"application": timedelta(days=548), "override": timedelta(days=366)}


_UNDER_KEY = (
    select(_memories)
    .where(
        _memories.c.tenant_id == bindparam("tenant"),
        _memories.c.kind == bindparam("kind"),
        _memories.c.key_hash == bindparam("key"),
    )
    .order_by(_memories.c.created_at.desc(), _memories.c.id)
)


@dataclass(frozen=True, slots=True)
class Filtered:
    """A record that was considered and left out, with the reason."""

    id: str
    reason: str


def remember(tx: Tx, vault: Vault, keys: Keys, record: Record, *, source_ref: str, now: datetime) -> str:
    """Write a record that a workflow's own code states, and answer its id; refuses a kind without a longest life."""
    if record.kind not in LONGEST:
        raise OutcomeRefused(f"{keys.thread_id} cannot remember a {record.kind!r}: no longest life is set for it.")
    memory_id = random_id("mem")
    tx.conn.execute(
        insert(_memories).values(
            tenant_id=keys.tenant_id,
            id=memory_id,
            kind=record.kind,
            owner_id=keys.tenant_id,
            key_hash=key_hash(vault, keys.tenant_id, record.kind, record.key),
            source_ref=source_ref,
            thread_id=keys.thread_id,
            subject_id=keys.subject_id,
            rule=str(record.rule),
            sealed=keys.seal(record.rule, "memories", memory_id, record.text.encode()),
            confidence=record.confidence,
            state="live",
            created_at=now,
            expires_at=now + LONGEST[record.kind],
        )
    )
    return memory_id


def recall(
    conn: Connection, vault: Vault, tenant_id: str, kind: str, key: str, now: datetime
) -> tuple[Recalled | None, list[Filtered]]:
    """Answer the newest record under an exact key, and what was left out and why.

    The tenant is part of the query: another tenant's rows are never read, counted or listed.
    """
    where = {"tenant": tenant_id, "kind": kind, "key": key_hash(vault, tenant_id, kind, key)}
    rows = conn.execute(_UNDER_KEY, where).all()
    filtered, used = [], None
    for row in rows:
        reason = _left_out(row, now)
        if reason is None and used is None:
            used = row
        else:
            filtered.append(Filtered(row.id, reason or "older"))
    return (None if used is None else _opened(vault, used)), filtered


def _left_out(row: Row[tuple[object]], now: datetime) -> str | None:
    if row.deleted_at is not None:
        return "deleted"
    if row.expires_at <= now:
        return "expired"
    return None if row.state == "live" else str(row.state)


def _opened(vault: Vault, row: Row[tuple[object]]) -> Recalled:
    keys = vault.keys(row.tenant_id, row.thread_id)
    text = keys.open(Rule(row.rule), "memories", row.id, row.sealed).decode()
    return Recalled(row.id, row.version, text, row.source_ref, row.created_at, row.expires_at)


def key_hash(vault: Vault, tenant_id: str, kind: str, key: str) -> str:
    """Hash an exact key for looking a record up; letter case and outer white space do not matter."""
    return vault.lookup_hash(tenant_id, f"memory:{kind}", key.strip().casefold())
