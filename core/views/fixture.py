"""A run as a fixture for a test: its shape and its order, without anything that says whose it is.

Text that a run holds is told by its length, times by their distance from its beginning. Names, addresses, files and
letters stay where they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection

from core.clock import read_instant
from core.effects.plan import list_entries
from core.errors import BadInput
from core.steps import Json, Workflow
from core.threads.rows import Thread
from core.vault.sealing import Vault
from core.views.asked import list_asked
from core.views.history import Moment, read_history

FORM = 1


def read_fixture(conn: Connection, vault: Vault, thread: Thread, workflow: Workflow | None) -> dict[str, Json]:
    """Answer it as JSON: pins, checkpoints with what changed, answers, effects by the ends of their keys."""
    begins = thread.created_at
    return {
        "fixture": FORM,
        "workflow": thread.workflow,
        "workflow_version": thread.workflow_version,
        "configs": dict(thread.configs),
        "status": thread.status,
        "outcome": thread.outcome,
        "step": thread.step,
        "checkpoints": [_checkpoint(one, begins) for one in read_history(conn, vault, thread, workflow)],
        "approvals": [
            {
                "about": one.about,
                "kind": one.kind,
                "status": one.status,
                "verdict": one.verdict,
                "asked_after_s": _after(one.asked_at, begins),
                "decided_after_s": None if one.decided_at is None else _after(one.decided_at, begins),
                "taken_by": one.consumed_by,
            }
            for one in list_asked(conn, thread)
        ],
        "effects": [
            {
                "name": one.key.removeprefix(f"{thread.id}/"),
                "kind": one.kind,
                "status": one.status,
                "attempt": one.attempt,
                "checkpoint": one.checkpoint,
                "why": one.why,
            }
            for one in list_entries(conn, thread.tenant_id, thread.id)
        ],
    }


def _checkpoint(moment: Moment, begins: datetime) -> dict[str, Json]:
    changed = {one.difference.field for one in moment.changes}
    return {
        "number": moment.number,
        "step": moment.step,
        "next_step": moment.next_step,
        "cause": moment.cause,
        "after_s": _after(moment.at, begins),
        "changed": {name: _shape(value, begins) for name, value in moment.fields.items() if name in changed},
    }


def _shape(value: Json, begins: datetime) -> Json:
    """Tell a value without its text: counts, points and flags stay, text is its length, an instant its distance."""
    if isinstance(value, Mapping):
        return {name: _shape(one, begins) for name, one in value.items()}
    if isinstance(value, list):
        return [_shape(one, begins) for one in value]
    if not isinstance(value, str):
        return value
    try:
        return {"after_s": _after(read_instant(value), begins)}
    except BadInput:
        return {"characters": len(value)}


def _after(at: datetime, begins: datetime) -> float:
    return (at - begins).total_seconds()
