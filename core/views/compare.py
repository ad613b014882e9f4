"""Two runs side by side: what differs between what they hold, and between how they went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection

from core.errors import BadInput
from core.steps import Json
from core.threads.load import load_fields
from core.threads.rows import Thread, get_thread
from core.vault.sealing import Vault
from core.views.differences import Difference, list_differences

_SHOWN = ("workflow", "workflow_version", "role_id", "configs", "status", "outcome", "step", "checkpoint", "waits_for")


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs of one workflow: `of_rows` says how they stand, `of_state` what they hold, field by field."""

    left: Thread
    right: Thread
    of_rows: Sequence[Difference]
    of_state: Sequence[Difference]


def compare_runs(conn: Connection, vault: Vault, tenant_id: str, left_id: str, right_id: str) -> Compared:
    """Hold one run against another; raises NotFound, BadInput for runs of two workflows, SealedForErased."""
    left, right = get_thread(conn, tenant_id, left_id), get_thread(conn, tenant_id, right_id)
    if left.workflow != right.workflow:
        raise BadInput(f"{left_id} follows {left.workflow} and {right_id} {right.workflow}; nothing is comparable.")
    keys = {one.id: vault.keys(tenant_id, one.id) for one in (left, right)}
    saved = load_fields(conn, tenant_id, keys)
    rows = [{name: _plain(getattr(one, name)) for name in _SHOWN} for one in (left, right)]
    states = [{name: msgspec.json.decode(raw) for name, raw in saved[one.id].items()} for one in (left, right)]
    return Compared(left, right, list_differences(*rows), list_differences(*states))


def _plain(value: object) -> Json:
    return dict(value) if isinstance(value, dict) else value
