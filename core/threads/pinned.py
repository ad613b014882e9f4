"""The configuration that a thread pins: versions of its role's, or of its workflow's policy."""

from __future__ import annotations

from sqlalchemy import Connection

from core.catalog.configs import UNWRITTEN, get_config
from core.catalog.policies import get_policy
from core.errors import OutcomeRefused
from core.steps import Config
from core.threads.rows import Thread

POLICY = "policy"


def get_pinned(conn: Connection, thread: Thread, kind: str) -> Config:
    """Answer the version of a kind that the thread pins; raises OutcomeRefused where it pins none."""
    version = thread.configs.get(kind, 0 if kind in UNWRITTEN else None)
    if version is not None and kind == POLICY:
        return get_policy(conn, thread.tenant_id, thread.workflow, version)
    if version is None or thread.role_id is None:
        raise OutcomeRefused(f"{thread.id} pins no version of {kind!r}.")
    return get_config(conn, thread.tenant_id, thread.role_id, kind, version)
