"""Versioned configuration: a change is a new version, and a thread keeps the one it was given."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from core.catalog.tables import ConfigRow
from core.db.store import Tx
from core.errors import NotFound
from core.steps import Config, Json

_configs = ConfigRow.__table__  # type: ignore[attr-defined]


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


def get_config(conn: Connection, tenant_id: str, role_id: str, kind: str, version: int) -> Config:
    """Answer one version, or raise NotFound."""
    content = conn.execute(
        select(_configs.c.content).where(
            _configs.c.tenant_id == tenant_id,
            _configs.c.role_id == role_id,
            _configs.c.kind == kind,
            _configs.c.version == version,
        )
    ).scalar_one_or_none()
    if content is None:
        raise NotFound(f"Role {role_id} has no {kind} version {version}.")
    return Config(kind=kind, version=version, content=content)
