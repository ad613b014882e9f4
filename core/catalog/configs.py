"""Versioned configuration: a change is a new version, and a thread keeps the one it was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, insert, select

from core.catalog.booking import NO_BOOKING
from core.catalog.letters import complete
from core.catalog.tables import ConfigRow
from core.db.store import Tx
from core.errors import NotFound
from core.steps import Config, Json

_configs = ConfigRow.__table__  # type: ignore[attr-defined]
# Kinds that a role need not have: what they say until somebody writes a version.
UNWRITTEN: Mapping[str, Mapping[str, Json]] = {"booking": NO_BOOKING}


@dataclass(frozen=True, slots=True)
class Version:
    """One version as it is kept: who wrote it (a person's id), and when."""

    version: int
    content: Mapping[str, Json]
    created_at: datetime
    created_by: str


def add_config(  # noqa: PLR0913 - one row of the table
    tx: Tx, tenant_id: str, role_id: str, kind: str, content: Mapping[str, Json], *, by: str, now: datetime
) -> int:
    """Write the next version of a kind, and answer its number."""
    version = newest_versions(tx.conn, tenant_id, role_id).get(kind, 0) + 1
    tx.conn.execute(
        insert(_configs).values(
            tenant_id=tenant_id,
            role_id=role_id,
            kind=kind,
            version=version,
            content=dict(content),
            created_at=now,
            created_by=by,
        )
    )
    return version


def newest_versions(conn: Connection, tenant_id: str, role_id: str) -> dict[str, int]:
    """Answer the newest version of each kind the role has."""
    rows = conn.execute(
        select(_configs.c.kind, func.max(_configs.c.version).label("newest"))
        .where(_configs.c.tenant_id == tenant_id, _configs.c.role_id == role_id)
        .group_by(_configs.c.kind)
    )
    return {row.kind: row.newest for row in rows}


def list_versions(conn: Connection, tenant_id: str, role_id: str, kind: str) -> list[Version]:
    """Answer every version of a kind that the role has, the oldest first."""
    return list_versions_of(conn, tenant_id, role_id, [kind])[kind]


def list_versions_of(conn: Connection, tenant_id: str, role_id: str, kinds: Sequence[str]) -> dict[str, list[Version]]:
    """Answer every version of several kinds that the role has, the oldest first."""
    rows = conn.execute(
        select(_configs.c.kind, _configs.c.version, _configs.c.content, _configs.c.created_at, _configs.c.created_by)
        .where(_configs.c.tenant_id == tenant_id, _configs.c.role_id == role_id, _configs.c.kind.in_(kinds))
        .order_by(_configs.c.kind, _configs.c.version)
    )
    found: dict[str, list[Version]] = {kind: [] for kind in kinds}
    for kind, *version in rows:
        found[kind].append(Version(*version))
    return found


def get_config(conn: Connection, tenant_id: str, role_id: str, kind: str, version: int) -> Config:
    """Answer one version, or raise NotFound. Version 0 is what a kind says where nobody has written one yet."""
    if version == 0 and kind in UNWRITTEN:
        return Config(kind=kind, version=0, content=UNWRITTEN[kind])
    where = {"tenant": tenant_id, "role": role_id, "kind": kind, "version": version}
    content = conn.execute(_ONE, where).scalar_one_or_none()
    if content is None:
        raise NotFound(f"Role {role_id} has no {kind} version {version}.")
    return Config(kind=kind, version=version, content=complete(content) if kind == "letters" else content)


_ONE = select(_configs.c.content).where(
    _configs.c.tenant_id == bindparam("tenant"),
    _configs.c.role_id == bindparam("role"),
    _configs.c.kind == bindparam("kind"),
    _configs.c.version == bindparam("version"),
)
