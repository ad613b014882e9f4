"""A model call that leaves the machine: its row is committed first, its lease is renewed meanwhile, its usage is kept.

open     one transaction: the lease still stands, the row says that a call leaves
ask      no transaction; the lease is renewed every few seconds for as long as a call may take
settle   one transaction, by the call's id, lease or not: what was paid is a fact whoever holds the thread now
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy.exc import OperationalError

from core.audit.note import Note, note
from core.clock import pulse, real_now, to_milliseconds
from core.context.packets import Admitted
from core.costs.calls import Opening, open_call, settle_call
from core.costs.cards import card_of
from core.costs.estimates import bytes_of, estimate
from core.costs.ways import find_way
from core.errors import LeaseLost, ModelFailed
from core.keys import random_id
from core.ports import Fault, MemoryFiles, ModelReply, Request
from core.runner.budget import count_before, raise_as_answered, reserve
from core.runner.overnight import ask_overnight
from core.runner.parts import Parts
from core.runner.run import Run
from core.threads.claim import LEASE_SECONDS, is_held, renew_one

RENEW_SECONDS = LEASE_SECONDS / 4
MOST_EXCHANGES = 8


def ask_model(
    parts: Parts, run: Run, admitted: Admitted, now: datetime, memory: MemoryFiles | None = None
) -> ModelReply:
    """Ask the model; raises ModelFailed where there is no answer, LeaseLost where the thread is another's.

    Where the model asks memory first, each round is a call of its own, with its own row and usage.
    """
    packet = admitted.packet
    request = Request(packet.purpose, admitted.items, packet.schema, packet.instructions, packet.tools, memory)
    if not parts.model.leaves_machine:
        return parts.model.answer(request)
    with parts.store.read() as conn:
        way = find_way(conn, run.thread.tenant_id, run.thread.role_id)
    request = replace(request, cache=way.cache)
    by_batch = ask_overnight(
        parts, run, request, way, now,
        lambda asked: _open(parts, run, request, now, asked),
        lambda call_id, reply: _settle(parts, run, call_id, reply, now),
    )  # fmt: skip
    if by_batch is not None:
        return by_batch
    while (reply := _answered(_ask_outside(parts, run, request, now))).exchange is not None:
        request = replace(request, exchanges=(*request.exchanges, reply.exchange))
        if len(request.exchanges) > MOST_EXCHANGES:
            said = f"The model asked memory more than {MOST_EXCHANGES} times and chose nothing."
            return replace(reply, status="unfit", fault=Fault("model_chose_nothing", said))
    return reply


def _answered(reply: ModelReply) -> ModelReply:
    if reply.status in ("failed", "unknown"):
        fault = reply.fault or Fault("model_failed", "The model gave no answer.")
        raise ModelFailed(fault.code, fault.sentence, is_final=fault.is_final, retry_after_s=fault.retry_after_s)
    return reply


def _ask_outside(parts: Parts, run: Run, request: Request, now: datetime) -> ModelReply:
    call_id, began = _open(parts, run, request, now), pulse()
    try:
        with _renewing(parts, run):
            reply = parts.model.answer(request)
    except Exception as error:
        broke = ModelReply({}, parts.model.label, status="unknown", fault=Fault(type(error).__name__, "It broke."))
        _settle(parts, run, call_id, broke, _after(now, began))
        raise
    _settle(parts, run, call_id, reply, _after(now, began))
    return reply


def _open(parts: Parts, run: Run, request: Request, now: datetime, batch_hash: str | None = None) -> str:
    thread, model = run.thread, parts.model
    raise_as_answered(parts, run, now)
    counted = count_before(parts, thread, request)
    with parts.store.read() as conn:
        guess = estimate(
            conn, thread.tenant_id, thread.step, model.label, bytes_of(request), model.output_limit, counted
        )
        # Money is paid by the real day, whatever a clock says.
        card = card_of(conn, parts.prices, thread.tenant_id, model.label, real_now().date())
    opening = Opening(
        tenant_id=thread.tenant_id,
        id=random_id("call"),
        thread_id=thread.id,
        role_id=thread.role_id,
        step=thread.step,
        checkpoint=thread.checkpoint,
        lease_no=thread.lease_no,
        purpose=request.purpose,
        model=model.label,
        estimate=guess,
        output_limit=model.output_limit,
        processing="standard" if batch_hash is None else "batch",
        asked_hash=batch_hash,
    )
    with parts.write() as tx:
        if not is_held(tx, thread):
            raise LeaseLost(f"Another worker holds {thread.id} now; its model was not asked.")
        renew_one(tx, thread)
        reserve(tx, run, opening, card, now)
        open_call(tx, opening, card, now)
        detail = {"call": opening.id, "model": model.label, "step": thread.step}
        note(tx, Note(thread.tenant_id, now, "worker", "model_asked", thread.id, detail))
    return opening.id


def _settle(parts: Parts, run: Run, call_id: str, reply: ModelReply, now: datetime) -> None:
    thread = run.thread
    with parts.write() as tx:
        if settle_call(tx, thread.tenant_id, call_id, reply, now):
            detail = {"call": call_id, "status": reply.status, "why": reply.fault and reply.fault.code}
            note(tx, Note(thread.tenant_id, now, "worker", "model_call_settled", thread.id, detail))


def _after(now: datetime, began: float) -> datetime:
    """A call takes its time whatever the business clock does."""
    return to_milliseconds(now + timedelta(seconds=pulse() - began))


@contextmanager
def _renewing(parts: Parts, run: Run) -> Iterator[None]:
    """Renew the thread's lease while a call is out, and no longer than a call may take."""
    until = pulse() + parts.model.answers_within_s + RENEW_SECONDS
    done = threading.Event()

    def beat() -> None:
        while not done.wait(RENEW_SECONDS) and pulse() < until:
            try:
                with parts.store.write() as tx:
                    renew_one(tx, run.thread)
            except OperationalError:
                continue  # the database was busy; the next beat comes long before the lease lapses

    beating = threading.Thread(target=beat, name="lease renewal", daemon=True)
    beating.start()
    try:
        yield
    finally:
        done.set()
        beating.join()
