"""Which waiting threads the loaded code could not resume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from core.db.types import Unreadable
from core.errors import SealedForErased, StateUnreadable
from core.steps import Workflow
from core.threads.codec import codec_of
from core.threads.load import load_fields
from core.threads.rows import COLUMNS, Thread, threads, to_thread
from core.threads.tables import ENDED
from core.vault.sealing import Vault

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Blocked:
    """A thread that the loaded code could not go on with, and why."""

    thread_id: str
    step: str
    reason: str


def list_blocked(conn: Connection, vault: Vault, workflows: Mapping[str, Workflow], tenant_id: str) -> list[Blocked]:
    """Try every thread that has not ended against the loaded code; changes nothing."""
    rows = conn.execute(
        select(*COLUMNS).where(threads.c.tenant_id == tenant_id, threads.c.status.not_in(ENDED)).order_by(threads.c.id)
    )
    open_threads = [to_thread(row) for row in rows]
    blocked: list[Blocked] = []
    for start in range(0, len(open_threads), _BATCH):
        blocked += _try(conn, vault, workflows, tenant_id, open_threads[start : start + _BATCH])
    return blocked


def _try(
    conn: Connection, vault: Vault, workflows: Mapping[str, Workflow], tenant_id: str, batch: list[Thread]
) -> list[Blocked]:
    keys = vault.keys_of(tenant_id, [thread.id for thread in batch])
    blocked = []
    for thread in batch:
        workflow = workflows.get(thread.workflow)
        if workflow is None:
            blocked.append(Blocked(thread.id, thread.step, f"no workflow {thread.workflow!r} is loaded"))
        elif workflow.step(thread.step) is None:
            blocked.append(Blocked(thread.id, thread.step, f"workflow {thread.workflow} has no step {thread.step!r}"))
        elif thread.id not in keys:
            blocked.append(Blocked(thread.id, thread.step, "its keys are gone"))
        elif isinstance(thread.configs, Unreadable):
            blocked.append(Blocked(thread.id, thread.step, "what it pins of its role cannot be read"))
        else:
            try:
                fields = load_fields(conn, tenant_id, {thread.id: keys[thread.id]})[thread.id]
                codec_of(workflow.state).decode(fields, thread.id)
            except (StateUnreadable, SealedForErased) as error:
                blocked.append(Blocked(thread.id, thread.step, error.sentence))
    return blocked
