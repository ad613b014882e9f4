"""The relay: tells the server what the nudges say. A row goes only when the server has acknowledged it.

A nudge is sent twice where a process dies in between; the workflow then looks once more and finds nothing to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from temporalio.client import Client
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy

from core.db.store import Store
from core.engines.temporal.workflow import Place, ThreadWorkflow
from core.nudges.nudges import Nudge, forget_nudges, list_nudges

AT_ONCE = 32


def queue_of(home_id: str) -> str:
    """Name the task queue of a home: only its own workers ask there."""
    return f"daybook-{home_id}"


def workflow_id(home_id: str, tenant_id: str, thread_id: str) -> str:
    """Name a thread's workflow."""
    return f"{home_id}/{tenant_id}/{thread_id}"


async def relay(client: Client, store: Store, home_id: str) -> int:
    """Tell the server of the nudges that stand, and answer how many; raises as the client does, and they stand then."""
    found = await asyncio.to_thread(_list, store)
    threads = list(dict.fromkeys((one.tenant_id, one.thread_id) for one in found))
    for start in range(0, len(threads), AT_ONCE):
        batch = threads[start : start + AT_ONCE]
        await asyncio.gather(*(_tell(client, home_id, *one) for one in batch))
        told = [one.id for one in found if (one.tenant_id, one.thread_id) in batch]
        await asyncio.to_thread(_forget, store, told)
    return len(found)


async def _tell(client: Client, home_id: str, tenant_id: str, thread_id: str) -> None:
    await client.start_workflow(
        ThreadWorkflow.run,
        Place(tenant_id, thread_id),
        id=workflow_id(home_id, tenant_id, thread_id),
        task_queue=queue_of(home_id),
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        start_signal=ThreadWorkflow.nudge.__name__,
    )


def _list(store: Store) -> Sequence[Nudge]:
    with store.read() as conn:
        return list_nudges(conn, most=AT_ONCE * 8)


def _forget(store: Store, told: Sequence[str]) -> None:
    with store.write() as tx:
        forget_nudges(tx, told)
