"""One record as the Memory page shows it: its passport, where it comes from, who was handed it and where it was left
out.

What was read and what was done stands in the audit log, which names ids, versions and reasons and no content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, String, case, or_, select, type_coerce

from core.audit.tables import AuditEntry, AuditLink
from core.context.tables import ManifestRow
from core.errors import NotFound
from core.memory.expiry import latest_for
from core.steps import Json
from core.vault.sealing import Vault
from core.views.memories import Shown, memories, state_of, to_shown

_entries = AuditEntry.__table__  # type: ignore[attr-defined]
_links = AuditLink.__table__  # type: ignore[attr-defined]
_manifests = ManifestRow.__table__  # type: ignore[attr-defined]
MOST = 50
CHANGES = (
    "remembered", "memory_allowed", "memory_refused", "memory_forgotten", "memory_restored", "memory_ended",
    "memory_expiry_set", "memory_superseded",
)  # fmt: skip
SEEN = ("memory_shown", "memory_what_if")


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was done to a record, or that somebody looked at it; `version` is the one it led to or saw."""

    act: str
    version: int | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Handed:
    """One read in a run that considered the record. `reason` is None where it was used."""

    thread_id: str
    step: str | None
    at: datetime
    reason: str | None
    by: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A packet that held the record: in which slot, at which step and checkpoint, in which version."""

    thread_id: str
    slot: str
    step: str
    checkpoint: int
    version: int
    tokens: int
    at: datetime


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One record whole. `around` are the records it rests on, that rest on it, that it replaced or that share its key.

    `latest_at` is the latest date that a person may set for its end.
    """

    shown: Shown
    latest_at: datetime
    deleted_why: str | None
    around: Sequence[Shown]
    same_key: Sequence[Shown]
    changes: Sequence[Change]
    reads: Sequence[Handed]
    filled: Sequence[Filled]


def read_record(conn: Connection, vault: Vault, tenant_id: str, memory_id: str, now: datetime) -> MemoryRecord:
    """Answer one record, in three statements; an unknown or foreign one is NotFound."""
    row, others = _rows(conn, tenant_id, memory_id, now)
    shown, *around = to_shown(vault, tenant_id, [row, *others])
    changes, reads = _told(conn, tenant_id, memory_id)
    return MemoryRecord(
        shown=shown,
        latest_at=latest_for(row.kind, row.rule, row.created_at, row.expires_at),
        deleted_why=row.deleted_why,
        around=[one for one in around if one.key != shown.key or _is_related(shown, one)],
        same_key=[one for one in around if one.key == shown.key and not _is_related(shown, one)],
        changes=changes,
        reads=reads,
        filled=_packets(conn, tenant_id, memory_id, {one.thread_id for one in reads}),
    )


def _is_related(shown: Shown, other: Shown) -> bool:
    """Say whether one rests on the other or stands in its place."""
    mine, its = shown.line, other.line
    ends = (mine.superseded_by == its.id, its.superseded_by == mine.id)
    return any((*ends, its.id in mine.drawn_from, mine.id in its.drawn_from))


def _rows(conn: Connection, tenant_id: str, memory_id: str, now: datetime) -> tuple[Row[Any], list[Row[Any]]]:
    """Answer the record's row, and those of the records around it, in one statement."""
    state, joined = state_of(tenant_id, now)
    m, wanted = memories.c, memories.alias("wanted")
    related = or_(
        m.id == wanted.c.id,
        (m.kind == wanted.c.kind) & (m.key_hash == wanted.c.key_hash) & (m.owner_id == wanted.c.owner_id),
        m.id == wanted.c.superseded_by,
        m.superseded_by == wanted.c.id,
        type_coerce(m.drawn_from, String).like(f'%"{_plain(memory_id)}"%'),
        type_coerce(wanted.c.drawn_from, String).like('%"' + m.id + '"%'),
    )
    rows = conn.execute(
        select(memories, state.label("shown_state"))
        .select_from(joined.join(wanted, (wanted.c.tenant_id == tenant_id) & (wanted.c.id == memory_id)))
        .where(m.tenant_id == tenant_id, related)
        .order_by(case((m.id == wanted.c.id, 0), else_=1), m.created_at.desc(), m.id)
        .limit(MOST)
    ).all()
    row = next((one for one in rows if one.id == memory_id), None)
    if row is None:
        raise NotFound(f"There is no memory {memory_id!r} in tenant {tenant_id}.")
    return row, [one for one in rows if one is not row and one.shown_state != "deleted"]


def _plain(memory_id: str) -> str:
    """Leave nothing in an id that a pattern would read."""
    return "".join(character for character in memory_id if character.isalnum() or character == "-")


def _told(conn: Connection, tenant_id: str, memory_id: str) -> tuple[list[Change], list[Handed]]:
    """Answer what the audit log tells of a record: what was done to it, and each run that considered it."""
    e = _entries.c
    rows = conn.execute(
        select(e.actor, e.act, e.thread_id, e.detail, _links.c.at)
        .join(_links, (_links.c.tenant_id == e.tenant_id) & (_links.c.link == e.link))
        .where(
            e.tenant_id == tenant_id,
            e.act.in_((*CHANGES, *SEEN, "memory_read")),
            type_coerce(e.detail, String).like(f"%{_plain(memory_id)}%"),
        )
        .order_by(e.link.desc(), e.n.desc())
        .limit(2 * MOST)
    ).all()
    changes = [
        Change(row.act, row.detail.get("version"), row.actor, row.at)
        for row in rows
        if row.act != "memory_read" and row.detail.get("memory") == memory_id
    ]
    reads = [one for row in rows if row.act == "memory_read" and (one := _handed(row, memory_id)) is not None]
    return changes[:MOST], reads[:MOST]


def _handed(row: Any, memory_id: str) -> Handed | None:
    detail: Mapping[str, Json] = row.detail
    by = str(detail.get("by") or row.actor)
    if any(str(one).partition("@")[0] == memory_id for one in detail.get("used") or ()):
        return Handed(row.thread_id, detail.get("step"), row.at, None, by)
    reasons = [one.get("reason") for one in detail.get("filtered") or () if one.get("id") == memory_id]
    return Handed(row.thread_id, detail.get("step"), row.at, str(reasons[0]), by) if reasons else None


def _packets(conn: Connection, tenant_id: str, memory_id: str, thread_ids: set[str]) -> list[Filled]:
    if not thread_ids:
        return []
    p = _manifests.c
    rows = conn.execute(
        select(p.thread_id, p.step, p.checkpoint, p["items"], p.at)
        .where(p.tenant_id == tenant_id, p.thread_id.in_(sorted(thread_ids)))
        .order_by(p.at.desc(), p.thread_id)
        .limit(10 * MOST)
    ).all()
    return [
        Filled(row.thread_id, one["slot"], row.step, row.checkpoint, one["version"], one["tokens"], row.at)
        for row in rows
        for one in row._mapping["items"]
        if one["source"] == "memories" and one["id"] == memory_id
    ][:MOST]
