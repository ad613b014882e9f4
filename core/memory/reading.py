"""The one function that reads memory for a decision, and what the memory browser lists and shows.

A record past its expiry is gone from reads at that instant, swept or not. The tenant is part of every query: another
tenant's rows are never read, counted or listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from core.clock import iso
from core.errors import NotFound
from core.memory.kinds import get_kind
from core.memory.tables import MemoryRow
from core.steps import Json, Recalled, Rule
from core.vault.sealing import Keys, Vault

_memories = MemoryRow.__table__  # type: ignore[attr-defined]
_UNDER_KEY = (
    select(_memories)
    .where(
        _memories.c.tenant_id == bindparam("tenant"),
        _memories.c.kind == bindparam("kind"),
        _memories.c.key_hash == bindparam("key"),
    )
    .order_by(_memories.c.created_at.desc(), _memories.c.id)
)
# What a person could change by allowing a record or by taking it out; nothing else is supposed away.
_SUPPOSABLE = (None, "quarantined")


@dataclass(frozen=True, slots=True)
class Filtered:
    """A record that was considered and left out, with the reason."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Read:
    """What one look at memory answered: what is used, newest first, and what was left out."""

    kind: str
    used: tuple[Recalled, ...]
    filtered: tuple[Filtered, ...]

    @property
    def considered(self) -> bool:
        """Say whether there was anything under the key."""
        return bool(self.used or self.filtered)

    def noted(self) -> dict[str, Json]:
        """Answer what the audit log keeps of it: ids, versions and reasons."""
        return {
            "kind": self.kind,
            "used": [f"{one.id}@{one.version}" for one in self.used],
            "filtered": [{"id": one.id, "reason": one.reason} for one in self.filtered],
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: a kind, an exact key, whose, and how many. The tenant's own records are everybody's in it.

    `supposed` is for a look that decides nothing: what would be read if a record were left out for this reason, or
    (None) if a person had allowed it. It brings back nothing that was forgotten or has expired.
    """

    tenant_id: str
    kind: str
    key: str
    owner_id: str | None = None
    most: int = 1
    supposed: Mapping[str, str | None] = field(default_factory=dict)


def read_memory(conn: Connection, vault: Vault, wanted: Wanted, now: datetime) -> Read:
    """Answer the newest of what stands under an exact key for this owner, and what was left out and why.

    Tenant first, in the query; then owner, deleted, expired, quarantined, superseded; then the newest. Where a kind has
    one value and live records contradict each other, none is used until a person says which stands.
    """
    kind = get_kind(wanted.kind)
    hashed = vault.lookup_hash(wanted.tenant_id, f"memory:{wanted.kind}", wanted.key.strip().casefold())
    rows = conn.execute(_UNDER_KEY, {"tenant": wanted.tenant_id, "kind": wanted.kind, "key": hashed}).all()
    owners = {wanted.tenant_id, wanted.owner_id}
    reasons = {row.id: "other-owner" if row.owner_id not in owners else left_out(row, now) for row in rows}
    reasons.update({one: why for one, why in wanted.supposed.items() if reasons.get(one, "") in _SUPPOSABLE})
    keys = vault.keys_of(wanted.tenant_id, list({row.thread_id for row in rows if reasons[row.id] is None}))
    reasons.update({row.id: "deleted" for row in rows if reasons[row.id] is None and row.thread_id not in keys})
    standing = [row for row in rows if reasons[row.id] is None]
    opened = standing if kind.has_one_value else standing[: wanted.most]
    found = [_recalled(row, _text(keys[row.thread_id], row)) for row in opened]
    if kind.has_one_value and len({one.text.strip() for one in found}) > 1:
        reasons.update({row.id: "contested" for row in standing})
        found = []
    reasons.update({row.id: "older" for row in standing[wanted.most :] if reasons[row.id] is None})
    left = tuple(Filtered(row.id, reason) for row in rows if (reason := reasons[row.id]) is not None)
    return Read(wanted.kind, tuple(found[: wanted.most]), left)


def left_out(row: Row[Any], now: datetime) -> str | None:
    """Say why a record of the right tenant and owner is not read, or None."""
    if row.deleted_at is not None:
        return "deleted"
    if row.expires_at <= now:
        return "expired"
    return None if row.state == "live" else str(row.state)


def open_text(vault: Vault, row: Row[Any]) -> str | None:
    """Answer a record's text, or None where its key is gone."""
    keys = vault.keys_of(row.tenant_id, [row.thread_id]).get(row.thread_id)
    return None if keys is None else _text(keys, row)


def _text(keys: Keys, row: Row[Any]) -> str:
    return keys.open(Rule(row.rule), "memories", row.id, row.sealed).decode()


def _recalled(row: Row[Any], text: str) -> Recalled:
    return Recalled(row.id, row.version, text, row.source_ref, row.created_at, row.expires_at)


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """One record as it is listed, without its text. `state` is live, contested, quarantined, superseded, expired or
    deleted."""

    id: str
    kind: str
    owner_id: str
    source: str
    origin: str
    confidence: float
    state: str
    version: int
    created_at: datetime
    expires_at: datetime
    thread_id: str
    drawn_from: Sequence[str]
    superseded_by: str | None


def list_memories(conn: Connection, tenant_id: str, now: datetime, *, deleted: bool = False) -> list[MemoryLine]:
    """Answer the tenant's records, newest first; forgotten ones only, where `deleted` asks for them."""
    rows = conn.execute(
        select(_memories)
        .where(_memories.c.tenant_id == tenant_id, _memories.c.deleted_at.is_not(None) == deleted)
        .order_by(_memories.c.created_at.desc(), _memories.c.id)
    ).all()
    contested = _contested(rows, now)
    return [_line(row, now, contested) for row in rows]


def _contested(rows: Sequence[Row[Any]], now: datetime) -> set[str]:
    """Answer the live records that share a key and an owner where their kind has one value."""
    sharing: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        if get_kind(row.kind).has_one_value and left_out(row, now) is None:
            sharing.setdefault((row.kind, row.key_hash, row.owner_id), []).append(row.id)
    return {one for ids in sharing.values() if len(ids) > 1 for one in ids}


def _line(row: Row[Any], now: datetime, contested: set[str]) -> MemoryLine:
    state = "contested" if row.id in contested else left_out(row, now) or "live"
    return MemoryLine(
        id=row.id,
        kind=row.kind,
        owner_id=row.owner_id,
        source=row.source_ref,
        origin=row.origin,
        confidence=row.confidence,
        state=state,
        version=row.version,
        created_at=row.created_at,
        expires_at=row.expires_at,
        thread_id=row.thread_id,
        drawn_from=row.drawn_from or (),
        superseded_by=row.superseded_by,
    )


def show_memory(
    conn: Connection, vault: Vault, tenant_id: str, memory_id: str, now: datetime
) -> tuple[MemoryLine, str]:
    """Answer one record with its text; a forgotten, expired, unknown or foreign one is NotFound."""
    row = find_row(conn, tenant_id, memory_id)
    if row is None or row.deleted_at is not None:
        raise NotFound(f"There is no memory {memory_id!r} in tenant {tenant_id}.")
    if row.expires_at <= now:
        raise NotFound(f"Memory {memory_id} expired at {iso(row.expires_at)}; its text is read by nobody any more.")
    text = open_text(vault, row)
    if text is None:
        raise NotFound(f"The text of memory {memory_id} is gone with its key.")
    return _line_of(conn, row, now), text


def find_line(conn: Connection, tenant_id: str, memory_id: str, now: datetime) -> MemoryLine | None:
    """Answer one record as it is listed, a forgotten one too; None where there is none."""
    row = find_row(conn, tenant_id, memory_id)
    return None if row is None else _line_of(conn, row, now)


def _line_of(conn: Connection, row: Row[Any], now: datetime) -> MemoryLine:
    same_key = conn.execute(_UNDER_KEY, {"tenant": row.tenant_id, "kind": row.kind, "key": row.key_hash}).all()
    return _line(row, now, _contested(same_key, now))


def find_row(conn: Connection, tenant_id: str, memory_id: str) -> Row[Any] | None:
    """Answer one record's row, or None; another tenant's is None too."""
    return conn.execute(
        select(_memories).where(_memories.c.tenant_id == tenant_id, _memories.c.id == str(memory_id))
    ).first()


def find_rows(conn: Connection, tenant_id: str, memory_ids: Sequence[str]) -> list[Row[Any]]:
    """Answer the rows of those records that the tenant has, the one that leaves first before the others."""
    rows: list[Row[Any]] = []
    for start in range(0, len(memory_ids), 500):
        ids = memory_ids[start : start + 500]
        here = (_memories.c.tenant_id == tenant_id, _memories.c.id.in_(ids))
        rows += conn.execute(select(_memories).where(*here)).all()
    return sorted(rows, key=lambda row: (row.expires_at, row.id))
