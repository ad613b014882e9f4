"""The Memory page's table: how many records stand in each state, one page of them, and a search over their text.

SQL filters, counts and pages. A text is found by opening what the filter leaves, the tenant's alone: no index of it is
kept anywhere, and nothing of it is remembered between two looks. What was forgotten or has expired is listed without
its text, and no search finds it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, select

from core.errors import SealedForErased, StateUnreadable
from core.memory.kinds import KINDS
from core.memory.reading import MemoryLine
from core.memory.tables import MemoryRow
from core.vault.sealing import Keys, Vault

memories = MemoryRow.__table__  # type: ignore[attr-defined]
PAGE_SIZE = 25
READABLE = ("live", "contested", "quarantined", "superseded")
_ONE_VALUE = tuple(name for name, kind in KINDS.items() if kind.has_one_value)
_SEALED = (memories.c.id, memories.c.thread_id, memories.c.rule, memories.c.sealed)


@dataclass(frozen=True, slots=True)
class MemoryFilters:
    """Which records are wanted; None wants all. `find` are words of the text, `source` the start of a source.

    `confidence` is the least. Without a state, what was forgotten is left out.
    """

    state: str | None = None
    kind: str | None = None
    owner_id: str | None = None
    source: str | None = None
    trust: int | None = None
    confidence: float | None = None
    created_within: timedelta | None = None
    expires_within: timedelta | None = None
    find: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """One record of the table. `text` is None where it may not be read any more, or its key is gone.

    `key` tells records apart that stand under different keys; it is a hash.
    """

    line: MemoryLine
    trust: int
    text: str | None
    key: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """How many records of each state a filter finds, and whether the tenant has any at all.

    `ids` are those found by their text, the newest first; None where no text was looked for.
    """

    filters: MemoryFilters
    by_state: Mapping[str, int]
    total: int
    is_empty: bool
    ids: Sequence[str] | None = None

    @property
    def page_count(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // PAGE_SIZE))


def find_memories(conn: Connection, vault: Vault, tenant_id: str, filters: MemoryFilters, now: datetime) -> Found:
    """Count what the filter finds; where a text is looked for, find it."""
    ids = None
    if _words(filters.find):
        found = _search(conn, vault, tenant_id, filters, now)
        ids = [one for one, state in found.items() if filters.state in (None, state)]
        by_state: Mapping[str, int] = Counter(found.values())
    else:
        by_state = count_states(conn, tenant_id, filters, now)
    total = len(ids) if ids is not None else _total(by_state, filters.state)
    return Found(filters, dict(by_state), total, not by_state and not _has_any(conn, tenant_id), ids)


def list_found(conn: Connection, vault: Vault, tenant_id: str, found: Found, now: datetime, number: int) -> list[Shown]:
    """Answer one page of what was found, the newest record first; a number past the end is the last page."""
    start = (min(max(number, 1), found.page_count) - 1) * PAGE_SIZE
    query = _lines(tenant_id, found.filters, now)
    if found.ids is None:
        query = query.limit(PAGE_SIZE).offset(start)
    else:
        query = query.where(memories.c.id.in_(found.ids[start : start + PAGE_SIZE]))
    return to_shown(vault, tenant_id, conn.execute(query).all())


def list_ids(conn: Connection, vault: Vault, tenant_id: str, filters: MemoryFilters, now: datetime) -> dict[str, int]:
    """Answer every record that the filter finds, with its version: what an act on all of them is about."""
    found = find_memories(conn, vault, tenant_id, filters, now)
    rows = conn.execute(_lines(tenant_id, filters, now)).all()
    wanted = None if found.ids is None else set(found.ids)
    return {row.id: row.version for row in rows if wanted is None or row.id in wanted}


def list_contested(conn: Connection, vault: Vault, tenant_id: str, now: datetime, most: int = 20) -> list[Shown]:
    """Answer live records that say different things under one key, those under the same key one after another."""
    query = _lines(tenant_id, MemoryFilters(state="contested"), now).order_by(None)
    m = memories.c
    rows = conn.execute(query.order_by(m.kind, m.key_hash, m.owner_id, m.created_at.desc()).limit(most)).all()
    return to_shown(vault, tenant_id, rows)


def state_of(tenant_id: str, now: datetime) -> tuple[ColumnElement[str], Any]:
    """Answer the state of a record as people see it, and what it is selected from."""
    m = memories.c
    live = and_(
        m.tenant_id == tenant_id, m.deleted_at.is_(None), m.expires_at > now, m.state == "live", m.kind.in_(_ONE_VALUE)
    )
    keys = (m.kind, m.key_hash, m.owner_id)
    doubled = select(*keys).where(live).group_by(*keys).having(func.count() > 1).subquery()
    d = doubled.c
    joined = memories.outerjoin(doubled, (d.kind == m.kind) & (d.key_hash == m.key_hash) & (d.owner_id == m.owner_id))
    state = case(
        (m.deleted_at.is_not(None), "deleted"),
        (m.expires_at <= now, "expired"),
        (m.state != "live", m.state),
        (d.kind.is_not(None), "contested"),
        else_="live",
    )
    return state, joined


def to_shown(vault: Vault, tenant_id: str, rows: Sequence[Row[Any]]) -> list[Shown]:
    """Copy rows of `_lines`, with the text of those that may be read."""
    keys = vault.keys_of(tenant_id, sorted({row.thread_id for row in rows if row.shown_state in READABLE}))
    return [Shown(_line(row), row.trust, _text(keys, row), key_of(row)) for row in rows]


def key_of(row: Row[Any]) -> tuple[str, str, str]:
    """Answer what two records share that are about the same: kind, key and owner."""
    return row.kind, row.key_hash, row.owner_id


def _text(keys: Mapping[str, Keys], row: Row[Any]) -> str | None:
    return _opened(keys.get(row.thread_id), row.id, row.rule, row.sealed)


def _opened(keys: Keys | None, memory_id: str, rule: str, sealed: bytes) -> str | None:
    if keys is None:
        return None
    try:
        return keys.open(rule, "memories", memory_id, sealed).decode(errors="replace")
    except (StateUnreadable, SealedForErased):  # one damaged row breaks no list; `verify` names it
        return None


def _line(row: Row[Any]) -> MemoryLine:
    return MemoryLine(
        id=row.id, kind=row.kind, owner_id=row.owner_id, source=row.source_ref, origin=row.origin,
        confidence=row.confidence, state=row.shown_state, version=row.version, created_at=row.created_at,
        expires_at=row.expires_at, thread_id=row.thread_id, drawn_from=row.drawn_from or (),
        superseded_by=row.superseded_by,
    )  # fmt: skip


def _where(tenant_id: str, filters: MemoryFilters, now: datetime) -> list[ColumnElement[bool]]:
    m, where = memories.c, [memories.c.tenant_id == tenant_id]
    wanted = ((m.kind, filters.kind), (m.owner_id, filters.owner_id), (m.trust, filters.trust))
    where += [column == value for column, value in wanted if value is not None]
    if filters.source:
        where.append(m.source_ref.startswith(filters.source, autoescape=True))
    if filters.confidence is not None:
        where.append(m.confidence >= filters.confidence)
    if filters.created_within is not None:
        where.append(m.created_at > now - filters.created_within)
    if filters.expires_within is not None:
        where += [m.expires_at > now, m.expires_at <= now + filters.expires_within]
    return where


def _lines(tenant_id: str, filters: MemoryFilters, now: datetime) -> Select[Any]:
    state, joined = state_of(tenant_id, now)
    query = select(memories, state.label("shown_state")).select_from(joined)
    query = query.where(*_where(tenant_id, filters, now), _in_state(state, filters.state))
    return query.order_by(memories.c.created_at.desc(), memories.c.id)


def _in_state(state: ColumnElement[str], wanted: str | None) -> ColumnElement[bool]:
    return memories.c.deleted_at.is_(None) if wanted is None else state == wanted


def count_states(conn: Connection, tenant_id: str, filters: MemoryFilters, now: datetime) -> Mapping[str, int]:
    """Answer how many records the filter finds in each state, whichever state it names."""
    state, joined = state_of(tenant_id, now)
    query = select(state, func.count()).select_from(joined).where(*_where(tenant_id, filters, now)).group_by(state)
    return {row[0]: row[1] for row in conn.execute(query)}


def _total(by_state: Mapping[str, int], state: str | None) -> int:
    return by_state.get(state, 0) if state else sum(n for one, n in by_state.items() if one != "deleted")


def _search(conn: Connection, vault: Vault, tenant_id: str, filters: MemoryFilters, now: datetime) -> dict[str, str]:
    """Answer the state of each record in whose text every word stands, the newest first."""
    words = _words(filters.find)
    state, joined = state_of(tenant_id, now)
    m = memories.c
    query = select(*_SEALED, state.label("shown_state")).select_from(joined)
    query = query.where(*_where(tenant_id, replace(filters, state=None), now), m.deleted_at.is_(None))
    rows = conn.execute(query.where(m.expires_at > now).order_by(m.created_at.desc(), m.id)).all()
    keys = vault.keys_of(tenant_id, list({row[1] for row in rows}))
    found = {}
    for memory_id, thread_id, rule, sealed, state_shown in rows:  # ten thousand of them: no look-up by name
        text = _folded(_opened(keys.get(thread_id), memory_id, rule, sealed) or "")
        if all(word in text for word in words):
            found[memory_id] = state_shown
    return found


def _words(find: str) -> list[str]:
    return _folded(find).split()


def _folded(text: str) -> str:
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def _has_any(conn: Connection, tenant_id: str) -> bool:
    return conn.execute(select(memories.c.id).where(memories.c.tenant_id == tenant_id).limit(1)).first() is not None
