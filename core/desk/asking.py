"""What a person asks of a thread that waits for an event: taking an invite back, another deadline, one more letter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from core.clock import iso, to_milliseconds
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import BadInput
from core.people.people import check_may_decide
from core.steps import Json
from core.threads.events import Arrival, receive
from core.threads.repair import refuse_ended
from core.threads.rows import Thread, get_thread
from core.vault.subjects import refuse_erased


def may_ask(desk: Desk, thread: Thread, name: str) -> bool:
    """Say whether this may be asked of the thread as it stands."""
    workflow = desk.workflows.get(thread.workflow)
    waits = thread.waits_for == "event" and thread.status in ("waiting", "running")
    return workflow is not None and name in workflow.asked and waits


_TO = {"deadline": "move", "resend": "send again"}


def move_deadline(tx: Tx, desk: Desk, actor: Actor, thread_id: str, until: datetime) -> None:
    """Have a thread wait until another instant; its reminder follows, unless it has gone. Nobody is told by letter.

    Raises as `ask_thread` does, and BadInput for an instant that has passed.
    """
    until = to_milliseconds(until)
    if until <= actor.now:
        raise BadInput(f"{iso(until)} has passed; a deadline is moved to a time ahead.")
    ask_thread(tx, desk, actor, thread_id, "deadline", {"until": iso(until)})


def ask_thread(
    tx: Tx, desk: Desk, actor: Actor, thread_id: str, name: str, data: Mapping[str, Json] | None = None
) -> None:
    """Have a thread ask a person about this: its next step asks the question, and nothing leaves before the answer.

    Raises NotFound, NotAllowed for a viewer, BadInput where the thread does not wait for an event or its time is over.
    """
    check_may_decide(actor.member)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    refuse_ended(thread)
    to = _TO.get(name, name)
    if not may_ask(desk, thread, name):
        raise BadInput(f"{thread_id} does not wait for an answer to a letter now, so there is nothing to {to}.")
    if thread.until_at is not None and actor.now >= thread.until_at:
        raise BadInput(f"The window of {thread_id} has ended, so there is nothing left to {to}.")
    refuse_erased(tx.conn, actor.tenant_id, thread.subject_id)
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    key_hash = desk.vault.lookup_hash(actor.tenant_id, "event_key", f"asked:{thread.version}:{thread.signals}")
    receive(tx, keys, thread, Arrival(name, data or {}, key_hash), actor.now)
    actor.note(tx, "asked_of_thread", thread_id, name=name, version=thread.version, **(data or {}))
