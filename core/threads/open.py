"""Begin a thread: its row, its plan, its first checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert

from core.db.store import Tx
from core.steps import State, Workflow
from core.threads.codec import codec_of
from core.threads.tables import CheckpointRow, CheckpointSection, PlanStep, ThreadRow, ThreadSection
from core.vault.sealing import Keys

_threads = ThreadRow.__table__  # type: ignore[attr-defined]
_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]
_checkpoint_sections = CheckpointSection.__table__  # type: ignore[attr-defined]
_sections = ThreadSection.__table__  # type: ignore[attr-defined]
_plan = PlanStep.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class NewThread:
    """What a thread begins with. `configs` pins a version of each kind; `goal` names nobody.

    `owner_id` is the person who opens it. A fork begins at a step of its own; `reuses` is as in
    its row.
    """

    id: str
    workflow: Workflow
    goal: str
    role_id: str | None
    configs: Mapping[str, int]
    state: State
    owner_id: str | None = None
    begins_at: str | None = None
    forked_from: str | None = None
    forked_at: int | None = None
    is_sandbox: bool = False
    reuses: Mapping[str, Sequence[str]] | None = None


def open_thread(tx: Tx, keys: Keys, new: NewThread, now: datetime) -> None:
    """Write a thread that is due at once."""
    first = new.begins_at or new.workflow.steps[0].name
    here = {"tenant_id": keys.tenant_id, "thread_id": new.id}
    tx.conn.execute(
        insert(_threads).values(
            tenant_id=keys.tenant_id,
            id=new.id,
            workflow=new.workflow.name,
            workflow_version=new.workflow.version,
            goal=new.goal,
            role_id=new.role_id,
            subject_id=keys.subject_id,
            owner_id=new.owner_id,
            forked_from=new.forked_from,
            forked_at=new.forked_at,
            is_sandbox=new.is_sandbox,
            reuses=new.reuses,
            configs=dict(new.configs),
            status="ready",
            step=first,
            checkpoint=0,
            since_at=now,
            wake_at=now,
            created_at=now,
            updated_at=now,
        )
    )
    tx.conn.execute(
        insert(_checkpoints),
        {**here, "number": 0, "step": first, "next_step": first, "cause": "open", "at": now},
    )
    _write_state(tx, keys, new)
    tx.conn.execute(
        insert(_plan),
        [
            {**here, "position": position, "step": step.name, "title": step.title, "status": "later"}
            for position, step in enumerate(new.workflow.steps)
        ],
    )


def _write_state(tx: Tx, keys: Keys, new: NewThread) -> None:
    codec = codec_of(new.workflow.state)
    for rule, content in codec.sections(codec.encode(new.state)).items():
        here = {"tenant_id": keys.tenant_id, "thread_id": new.id, "rule": str(rule), "number": 0}
        tx.conn.execute(
            insert(_checkpoint_sections),
            {**here, "sealed": keys.seal(rule, "checkpoint_sections", f"{new.id}#0", content)},
        )
        tx.conn.execute(insert(_sections), {**here, "sealed": keys.seal(rule, "thread_sections", new.id, content)})
