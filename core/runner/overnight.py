"""Calls that wait for nobody: gathered while threads are driven, sent as one batch, read when it has ended.

gather   the call's row is opened, its request is kept in this process, its thread waits for a quarter of an hour
send     one request for all that was gathered; the batch's id is written into the rows
read     the thread runs its step again, which asks the same; what the batch answered under its call's id is the reply

Nothing of a request or a reply is stored. A process that dies before the batch's id is written leaves calls of unknown
usage, and their threads ask anew, each by itself. So does a thread whose batch call failed, expired, or asked for
something that has changed since.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from core.audit.note import Note, note
from core.context.documents import as_documents
from core.costs.batches import BatchCall, find_batch_call, note_sent, threads_of
from core.costs.calls import settle_call
from core.costs.ways import Way
from core.ports import Batches, Fault, ModelReply, Request
from core.runner.parts import Parts
from core.runner.run import Run
from core.threads.of_role import wake
from core.threads.rows import threads

LOOK_AGAIN_AFTER = timedelta(minutes=15)
Opened = Callable[[str], str]
Settled = Callable[[str, ModelReply], None]


class WaitsForBatch(Exception):  # noqa: N818 - no error: the step stops here until its batch has ended
    """The step's call is in a batch; look again later."""


def ask_overnight(  # noqa: PLR0913 - one call with all that it is asked by
    parts: Parts, run: Run, request: Request, way: Way, now: datetime, opened: Opened, settled: Settled
) -> ModelReply | None:
    """Answer a step's call by batch where its role says so and it is night; None: it is asked by itself.

    `opened` writes the row of a call that asked for this hash, `settled` what came of it. Raises WaitsForBatch.
    """
    model, thread = parts.model, run.thread
    if not isinstance(model, Batches) or request.memory is not None or run.left.manifests:
        return None  # what a step asks once more is asked by itself
    asked = run.keys.hash(as_documents(request.items) + request.instructions)
    with parts.store.read() as conn:
        call = find_batch_call(conn, thread.tenant_id, thread.id, thread.step, asked)
    if call is not None:
        return _read(parts, model, run, request, call, asked, settled)
    if not way.is_night(now):
        return None
    parts.gathered.add(thread.tenant_id, opened(asked), request)
    raise WaitsForBatch


def _read(  # noqa: PLR0913 - one call with all that it is read by
    parts: Parts, model: Batches, run: Run, request: Request, call: BatchCall, asked: str, settled: Settled
) -> ModelReply | None:
    if call.status in ("failed", "unknown"):
        return None
    if call.batch_id is None:
        if parts.gathered.holds(run.thread.tenant_id, call.id):
            raise WaitsForBatch
        lost = Fault("batch_lost", "The process ended before its batch was on record; what was asked is unknown.")
        settled(call.id, ModelReply({}, parts.model.label, status="unknown", fault=lost))
        return None
    reply = model.read_batch(call.batch_id, call.id, request)
    if reply is None:
        raise WaitsForBatch
    if call.status == "open":
        settled(call.id, reply)
    if call.asked_hash != asked or reply.status in ("failed", "unknown"):
        return None  # it was paid for, if it was answered, and is asked anew on what is true now
    return reply


def send_gathered(parts: Parts, tenant_id: str, now: datetime) -> int:
    """Send what was gathered of a tenant as one batch, and answer how many calls that was."""
    requests = parts.gathered.take(tenant_id)
    if not requests or not isinstance(parts.model, Batches):
        return 0
    sent = parts.model.send_batch(requests)
    with parts.write() as tx:
        if isinstance(sent, str):
            note_sent(tx, tenant_id, list(requests), sent)
            note(tx, Note(tenant_id, now, "worker", "batch_sent", None, {"batch": sent, "calls": len(requests)}))
            return len(requests)
        for call_id in requests:
            settle_call(tx, tenant_id, call_id, sent, now)
        waiting = threads_of(tx.conn, tenant_id, list(requests))
        wake(tx, [threads.c.tenant_id == tenant_id, threads.c.id.in_(waiting), threads.c.status == "waiting"], now)
        why = sent.fault and sent.fault.code
        note(tx, Note(tenant_id, now, "worker", "batch_not_sent", None, {"why": why, "calls": len(requests)}))
    return len(requests)
