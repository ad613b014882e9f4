"""A role with every version of its rubric, side by side, how many threads rest on each, and its letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from core.catalog.configs import list_versions_of, newest_versions
from core.catalog.roles import Role, get_role
from core.catalog.rubric_changes import Change, list_changes
from core.people.people import names_of
from core.steps import Json
from core.threads.rows import threads
from core.threads.tables import ENDED
from core.views.letters import KINDS, LettersShown, show_letters


@dataclass(frozen=True, slots=True)
class RubricVersion:
    """One version: its content, who wrote it and when, what changed, and how many threads go on and ended under it."""

    version: int
    content: Mapping[str, Json]
    created_at: datetime
    by: str
    changes: Sequence[Change]
    going: int
    ended: int


@dataclass(frozen=True, slots=True)
class RoleShown:
    """One role: the newest version of each kind that it has, its rubrics, the oldest first, and its letters."""

    role: Role
    versions: Mapping[str, int]
    rubrics: Sequence[RubricVersion]
    letters: LettersShown


def read_role_whole(conn: Connection, tenant_id: str, role_id: str) -> RoleShown:
    """Answer one role, or raise NotFound; another tenant's is not found either."""
    return show_role(conn, tenant_id, get_role(conn, tenant_id, role_id))


def show_role(conn: Connection, tenant_id: str, role: Role) -> RoleShown:
    """Answer a role that was read already."""
    every, names = list_versions_of(conn, tenant_id, role.id, ["rubric", *KINDS]), names_of(conn, tenant_id)
    kept = every["rubric"]
    counts = _count_by_rubric(conn, tenant_id, role.id)
    before = [None, *kept]
    rubrics = [
        RubricVersion(
            version=one.version,
            content=one.content,
            created_at=one.created_at,
            by=names.get(one.created_by, one.created_by),
            changes=() if earlier is None else list_changes(earlier.content, one.content),
            going=counts.get((one.version, False), 0),
            ended=counts.get((one.version, True), 0),
        )
        for one, earlier in zip(kept, before, strict=False)
    ]
    return RoleShown(role, newest_versions(conn, tenant_id, role.id), rubrics, show_letters(every, names))


def _count_by_rubric(conn: Connection, tenant_id: str, role_id: str) -> dict[tuple[int, bool], int]:
    """Count threads by the rubric version that they pin, and whether they ended; few rows, whatever their number."""
    rows = conn.execute(
        select(threads.c.configs, threads.c.status, func.count().label("number"))
        .where(threads.c.tenant_id == tenant_id, threads.c.role_id == role_id)
        .group_by(threads.c.configs, threads.c.status)
    )
    counts: dict[tuple[int, bool], int] = {}
    for row in rows:
        name = (row.configs.get("rubric", 0), row.status in ENDED)
        counts[name] = counts.get(name, 0) + row.number
    return counts
