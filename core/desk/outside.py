"""What comes from outside, and what a person found out about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.effects.settle import get_unknown, settle_by_hand
from core.errors import BadInput
from core.keys import canonical
from core.people.people import check_may_decide
from core.steps import Json
from core.threads.events import Arrival, Stored, receive
from core.threads.repair import retry
from core.threads.rows import get_thread
from core.vault.subjects import refuse_erased


@dataclass(frozen=True, slots=True)
class Outside:
    """An event as it is told: its name, its data, and a key of its own where it has one."""

    name: str
    data: Mapping[str, Json] = field(default_factory=dict)
    key: str | None = None


def receive_event(tx: Tx, desk: Desk, actor: Actor, thread_id: str, outside: Outside) -> Stored:
    """Store an outside event once per key (default: a hash of its name and data) and wake the thread.

    Raises NotFound, BadInput for an undeclared name or malformed data, PayloadMismatch for a known key with other data.
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


def settle_unknown_effect(tx: Tx, actor: Actor, key: str, happened: str | None) -> None:
    """Write what a person found out about an effect nobody knew of, and let its thread go on."""
    check_may_decide(actor.member)
    if happened is not None and not happened.strip():
        raise BadInput(f"Say where {key} was found to have happened; a reference cannot be blank.")
    entry = get_unknown(tx, actor.tenant_id, key)
    settle_by_hand(tx, entry, happened=happened, by=actor.member.id, now=actor.now)
    thread = get_thread(tx.conn, actor.tenant_id, entry.thread_id)
    if thread.status == "parked":
        retry(tx, thread, actor.now)
    actor.note(tx, "effect_settled_by_hand", thread.id, key=key, happened=happened is not None)
