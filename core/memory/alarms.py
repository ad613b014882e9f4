"""Alarms on memory: a source that writes too much, and a record that reaches too many subjects. Neither stops anything.

Both bounds are configuration (data/policies/memory.toml). A source is whoever stated it: a person, a document, a tool,
or a thread with all of its steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Select, String, case, func, literal, select, type_coerce, union_all

from core.errors import SettingsWrong
from core.memory.tables import MemoryRead, MemoryRow
from core.steps import Json
from core.threads.rows import threads

_memories = MemoryRow.__table__  # type: ignore[attr-defined]
_reads = MemoryRead.__table__  # type: ignore[attr-defined]
BACK = timedelta(days=7)
_HOUR = len("2026-08-20T09")


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many records one source may write within a clock hour, and how many subjects one record may reach."""

    writes_per_hour: int
    subjects_per_record: int


@dataclass(frozen=True, slots=True)
class Alarm:
    """One bound that was passed. `writes`: by which source, in the hour that begins `at`. `reaches`: which record,
    first handed to a thread `at`."""

    kind: Literal["writes", "reaches"]
    name: str
    count: int
    bound: int
    at: datetime


def read_bounds(content: Mapping[str, Json]) -> Bounds:
    """Answer the bounds that a policy states, or raise SettingsWrong."""
    found = [content.get(name) for name in ("writes_per_source_and_hour", "subjects_per_record")]
    for value in found:
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise SettingsWrong(
                "data/policies/memory.toml must state both of its bounds as whole numbers of at least 1."
            )
    return Bounds(*found)  # type: ignore[arg-type]


def find_alarms(conn: Connection, tenant_id: str, now: datetime, bounds: Bounds) -> list[Alarm]:
    """Answer what passed its bound in the last seven days, the newest first, in one statement."""
    rows = conn.execute(union_all(_writes(tenant_id, now, bounds), _reaches(tenant_id, now, bounds))).all()
    limits = {"writes": bounds.writes_per_hour, "reaches": bounds.subjects_per_record}
    found = [Alarm(row.what, row.name, row.number, limits[row.what], row.at) for row in rows]
    return sorted(found, key=lambda one: (one.at, one.name), reverse=True)


def _writes(tenant_id: str, now: datetime, bounds: Bounds) -> Select[Any]:
    m = _memories.c
    # What a step keeps is stated by its thread: `thread#checkpoint` is one source for all of its steps.
    source = case((m.source_ref.like(m.thread_id + "#%"), m.thread_id), else_=m.source_ref).label("name")
    hour = func.substr(type_coerce(m.created_at, String), 1, _HOUR).label("hour")
    return (
        select(
            literal("writes").label("what"), source, func.count().label("number"), func.min(m.created_at).label("at")
        )
        .where(m.tenant_id == tenant_id, m.created_at > now - BACK)
        .group_by(source, hour)
        .having(func.count() > bounds.writes_per_hour)
    )


def _reaches(tenant_id: str, now: datetime, bounds: Bounds) -> Select[Any]:
    r = _reads.c
    reached = func.count(threads.c.subject_id.distinct())
    return (
        select(literal("reaches"), r.memory_id, reached, func.min(r.at))
        .join(threads, (threads.c.tenant_id == r.tenant_id) & (threads.c.id == r.thread_id))
        .join(_memories, (_memories.c.tenant_id == r.tenant_id) & (_memories.c.id == r.memory_id))
        .where(r.tenant_id == tenant_id, _memories.c.deleted_at.is_(None), _memories.c.expires_at > now)
        .group_by(r.memory_id)
        .having(reached > bounds.subjects_per_record)
    )
