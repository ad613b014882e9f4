"""Policies: limits and settings of a workflow, from data/policies, each change a new version.

The file is the configuration. When a thread is opened the file as it stands becomes a version, if it is not the newest
already, and the thread pins that version: no later edit, no memory and no model's text changes what it goes by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, insert, select

from core.catalog.tables import PolicyRow
from core.db.store import Tx
from core.errors import NotFound, SettingsWrong
from core.steps import Config, Json

_policies = PolicyRow.__table__  # type: ignore[attr-defined]
POLICIES = Path(__file__).resolve().parents[2] / "data" / "policies"


def read_policy(name: str, folder: Path = POLICIES) -> dict[str, Json]:
    """Answer a policy's file, or raise SettingsWrong."""
    try:
        return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsWrong(f"The policy {name} in {folder} cannot be read: {error}.") from error


def pin_policy(tx: Tx, tenant_id: str, name: str, content: Mapping[str, Json], *, by: str, now: datetime) -> int:
    """Answer the version under which this content stands, writing it as the next one where it is new."""
    newest = tx.conn.execute(
        select(_policies.c.version, _policies.c.content)
        .where(_policies.c.tenant_id == tenant_id, _policies.c.name == name)
        .order_by(_policies.c.version.desc())
        .limit(1)
    ).first()
    if newest is not None and newest.content == dict(content):
        return int(newest.version)
    version = 1 if newest is None else newest.version + 1
    row = {"tenant_id": tenant_id, "name": name, "version": version, "content": dict(content)}
    tx.conn.execute(insert(_policies).values(**row, created_at=now, created_by=by))
    return int(version)


def get_policy(conn: Connection, tenant_id: str, name: str, version: int) -> Config:
    """Answer one version, or raise NotFound."""
    content = conn.execute(
        select(_policies.c.content).where(
            _policies.c.tenant_id == tenant_id, _policies.c.name == name, _policies.c.version == version
        )
    ).scalar_one_or_none()
    if content is None:
        raise NotFound(f"There is no version {version} of policy {name} in tenant {tenant_id}.")
    return Config("policy", version, content)
