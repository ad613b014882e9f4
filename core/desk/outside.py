"""What comes from outside, and what a person found out about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.effects.settle import get_unknown, settle_by_hand
from core.effects.switch import list_stalled, switch_sending
from core.errors import BadInput, StaleVersion
from core.keys import canonical
from core.limits import REFERENCE, one_line
from core.people.people import check_is_owner, check_may_decide
from core.steps import Json
from core.threads.events import Arrival, Stored, mark_seen, receive
from core.threads.repair import retry
from core.threads.rows import get_thread
from core.threads.stall import wake_stalled
from core.vault.subjects import refuse_erased


@dataclass(frozen=True, slots=True)
class Outside:
    """An event as it is told: its name, its data, and a key of its own where it has one."""

    name: str
    data: Mapping[str, Json] = field(default_factory=dict)
    key: str | None = None


def receive_event(tx: Tx, desk: Desk, actor: Actor, thread_id: str, outside: Outside) -> Stored:
    """Store an event that a person or a program tells; raises as take_event does, and NotAllowed for a viewer."""
    check_may_decide(actor.member)
    return take_event(tx, desk, actor, thread_id, outside)


def take_event(tx: Tx, desk: Desk, actor: Actor, thread_id: str, outside: Outside) -> Stored:
    """Store an outside event once per key (default: a hash of its name and data) and wake the thread.

    Whoever calls this has made sure that the actor may tell it. Raises NotFound, BadInput for an undeclared name or
    malformed data, PayloadMismatch for a known key with other data.
    """
    name, data = outside.name, outside.data
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    check = desk.check_event.get(thread.workflow)
    if check is None:
        raise BadInput(f"{thread_id} follows workflow {thread.workflow}, which accepts no events.")
    check(name, data)
    refuse_erased(tx.conn, actor.tenant_id, thread.subject_id)
    by_default = canonical({"name": name, "data": dict(data)}).decode()
    known_by = f"key:{outside.key}" if outside.key else f"data:{by_default}"
    key_hash = desk.vault.lookup_hash(actor.tenant_id, "event_key", known_by)
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    stored = receive(tx, keys, thread, Arrival(name, data, key_hash), actor.now)
    if not stored.repeated:
        actor.note(tx, "event_received", thread_id, name=name, late=stored.late)
    return stored


def see_events(tx: Tx, actor: Actor, thread_id: str, *, last: int | None = None) -> int:
    """Write that a person has seen the events of a thread that nothing followed from, and answer how many.

    `last` is the number of the last one that was shown; one that came since stays where it is.
    """
    check_may_decide(actor.member)
    get_thread(tx.conn, actor.tenant_id, thread_id)
    seen = mark_seen(tx, actor.tenant_id, thread_id, last=last, by=actor.member.id, now=actor.now)
    if seen:
        actor.note(tx, "events_seen", thread_id, count=seen)
    return seen


def settle_unknown_effect(
    tx: Tx, desk: Desk, actor: Actor, key: str, happened: str | None, *, seen_attempt: int | None = None
) -> None:
    """Write what a person found out about an effect nobody knew of, and let its thread go on.

    Raises NotFound, NotAllowed, BadInput where it is known by now, StaleVersion where another attempt than the one seen
    is in doubt.
    """
    check_may_decide(actor.member)
    found = one_line(happened, REFERENCE, "The reference")
    if happened is not None and found is None:
        raise BadInput(f"Say where {key} was found to have happened; a reference cannot be blank.")
    entry = get_unknown(tx, actor.tenant_id, key)
    if seen_attempt not in (None, entry.attempt):
        raise StaleVersion(
            f"You saw attempt {seen_attempt} of {key}; attempt {entry.attempt} is in doubt now. Look again."
        )
    settle_by_hand(tx, entry, happened=found, by=actor.member.id, now=actor.now)
    thread = get_thread(tx.conn, actor.tenant_id, entry.thread_id)
    result = None if found is None else desk.vault.keys(actor.tenant_id, thread.id).hash(found)
    if thread.status == "parked":
        retry(tx, thread, actor.now)
    detail = {"key": key, "attempt": entry.attempt, "happened": found is not None, "result": result}
    actor.note(tx, "effect_settled_by_hand", thread.id, **detail)


def turn_sending(tx: Tx, actor: Actor, tenants: Mapping[str, datetime], *, on: bool) -> None:
    """Switch whether the gate lets anything out, in the whole home; switched on, what waited for it is due.

    `tenants` is every tenant's business time. Raises NotAllowed for anybody but an owner.
    """
    check_is_owner(actor.member)
    switch_sending(tx, on=on, by=actor.member.id, now=actor.now)
    if on:
        for tenant_id, thread_ids in list_stalled(tx.conn).items():
            wake_stalled(tx, tenant_id, thread_ids, tenants[tenant_id])
    actor.note(tx, "sending_switched", None, on=on)
