"""Whether what a packet was built from still stands, asked under the write lock before its answer is kept.

Each source has its own rule. What never changes once written (configurations, receipts, checkpoints, settled lines) is
not asked after; what may change is: the version that was sent must be the one that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select

from core.effects.plan import effects
from core.memory.reading import left_out
from core.memory.tables import MemoryRow
from core.review.read import approvals
from core.steps import Item
from core.threads.tables import NoteRow
from core.vault.tables import SubjectFields

_memories = MemoryRow.__table__  # type: ignore[attr-defined]
_notes = NoteRow.__table__  # type: ignore[attr-defined]
_fields = SubjectFields.__table__  # type: ignore[attr-defined]
Versions = dict[str, tuple[object, ...]]
Rule = Callable[[Connection, str, Sequence[str], datetime], Versions]


def find_moved(
    conn: Connection, tenant_id: str, built: Mapping[str, Sequence[Item]], now: datetime
) -> dict[str, list[str]]:
    """Answer, for each thread whose packet no longer stands, what moved; one query a source for all of them."""
    moved: dict[str, list[str]] = {}
    for source, rule in _RULES.items():
        asked = [(thread_id, item) for thread_id, items in built.items() for item in items if item.source == source]
        if not asked:
            continue
        stands = rule(conn, tenant_id, sorted({item.id for _, item in asked}), now)
        for thread_id, item in asked:
            if not _is_same(item, stands.get(item.id)):
                moved.setdefault(thread_id, []).append(f"{source} {item.id}")
    return moved


def _is_same(item: Item, stands: tuple[object, ...] | None) -> bool:
    """Say whether an item's version stands, and its status where both say one."""
    if stands is None or stands[0] != item.version:
        return False
    return item.value is None or stands[1:] in ((), (item.value,))


def _approvals(conn: Connection, tenant_id: str, ids: Sequence[str], _now: datetime) -> Versions:
    here = (approvals.c.tenant_id == tenant_id, approvals.c.id.in_(ids))
    rows = conn.execute(select(approvals.c.id, approvals.c.version, approvals.c.status).where(*here))
    return {row.id: (row.version, row.status) for row in rows}


def _effects(conn: Connection, tenant_id: str, ids: Sequence[str], _now: datetime) -> Versions:
    here = (effects.c.tenant_id == tenant_id, effects.c.key.in_(ids))
    rows = conn.execute(select(effects.c.key, effects.c.attempt, effects.c.status).where(*here))
    return {row.key: (row.attempt, row.status) for row in rows}


def _latest_notes(conn: Connection, tenant_id: str, ids: Sequence[str], _now: datetime) -> Versions:
    rows = conn.execute(
        select(_notes.c.thread_id, func.max(_notes.c.version).label("latest"))
        .where(_notes.c.tenant_id == tenant_id, _notes.c.thread_id.in_(ids), _notes.c.approved_at.is_not(None))
        .group_by(_notes.c.thread_id)
    )
    return {row.thread_id: (row.latest,) for row in rows}


def _readable(conn: Connection, tenant_id: str, ids: Sequence[str], now: datetime) -> Versions:
    rows = conn.execute(select(_memories).where(_memories.c.tenant_id == tenant_id, _memories.c.id.in_(ids)))
    return {row.id: (row.version,) for row in rows if left_out(row, now) is None}


def _people(conn: Connection, tenant_id: str, ids: Sequence[str], _now: datetime) -> Versions:
    here = (_fields.c.tenant_id == tenant_id, _fields.c.thread_id.in_(ids))
    rows = conn.execute(select(_fields.c.thread_id, _fields.c.version).where(*here))
    return {row.thread_id: (row.version,) for row in rows}


_RULES: dict[str, Rule] = {
    "subject_fields": _people,
    "approvals": _approvals,
    "effects": _effects,
    "notes": _latest_notes,
    "memories": _readable,
}
