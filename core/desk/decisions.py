"""Decide, undo, release, amend. A decision is written here and carried out by a worker, never the other way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.catalog.configs import get_config
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.effects.plan import void_planned
from core.errors import BadInput, StaleVersion
from core.identity import check_email, display_name, fold_words, normalise_email
from core.people.people import check_may_decide, names_of
from core.review.decide import Decision, decide, refuse_expired, refuse_moved, release_now, restore, undo
from core.review.read import Approval, approvals, get_approval, list_approvals, of_threads
from core.steps import Json, Verdict
from core.threads.repair import put_back, refuse_ended, wake_when_released
from core.threads.rows import Thread, get_thread
from core.vault.subjects import (
    add_lookups,
    amended,
    drop_lookups,
    find_person_version,
    read_people,
    refuse_erased,
    write_person,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answers: verdict, on which version, and what comes with it."""

    verdict: Verdict
    seen_version: int
    fields: Mapping[str, Json] = field(default_factory=dict)
    reason: str | None = None
    total: int | None = None


def decide_approval(tx: Tx, desk: Desk, actor: Actor, approval_id: str, answer: Answer) -> Approval:
    """Write an answer, hold what it releases, and wake the thread for when the hold ends.

    Raises NotFound, NotAllowed, AlreadyDecided, StaleVersion or BadInput; nothing is then changed.
    """
    check_may_decide(actor.member)
    approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    if approval.status != "pending" or approval.version != answer.seen_version:
        who = names_of(tx.conn, actor.tenant_id).get(approval.decided_by or "")
        refuse_moved(approval, answer.seen_version, who)
    refuse_expired(approval, actor.now)
    thread = get_thread(tx.conn, actor.tenant_id, approval.thread_id)
    refuse_erased(tx.conn, actor.tenant_id, thread.subject_id)
    _refuse_outdated(tx, approval)
    decision = Decision(
        verdict=answer.verdict,
        seen_version=answer.seen_version,
        by=actor.member.id,
        release_at=_release_at(tx, desk, actor, thread, approval),
        answer=answer.fields,
        reason=answer.reason,
        total=answer.total,
    )
    decided = decide(tx, desk.vault.keys(actor.tenant_id, thread.id), approval, decision, actor.now)
    wake_when_released(tx, thread, decision.release_at, actor.now)
    actor.note(tx, "decided", thread.id, approval=approval.id, version=decided.version, verdict=answer.verdict)
    return decided


def _refuse_outdated(tx: Tx, approval: Approval) -> None:
    """Refuse to answer a question whose letters were frozen for what the person was before an amendment."""
    rests_on = approval.basis.get("person")
    stands = find_person_version(tx.conn, approval.tenant_id, approval.thread_id)
    if rests_on is not None and stands is not None and rests_on != stands:
        raise StaleVersion(
            f"{approval.about} of {approval.thread_id} was asked for version {rests_on} of the person, which is "
            f"{stands} now; it is asked anew. Look again when a worker has done so."
        )


def _release_at(tx: Tx, desk: Desk, actor: Actor, thread: Thread, approval: Approval) -> datetime:
    """Answer when the hold ends: as long as the thread's role says, else as the home does, shorter before an expiry."""
    own = _hold_of_role(tx, thread)
    held = actor.now + (desk.hold_of(actor.tenant) if own is None else own)
    return held if approval.expires_at is None else max(actor.now, min(held, approval.expires_at))


def _hold_of_role(tx: Tx, thread: Thread) -> timedelta | None:
    if thread.role_id is None or "role" not in thread.configs:
        return None
    role = get_config(tx.conn, thread.tenant_id, thread.role_id, "role", thread.configs["role"])
    seconds = role.content.get("hold_seconds")
    return None if seconds is None else timedelta(seconds=seconds)


def undo_decision(tx: Tx, desk: Desk, actor: Actor, approval_id: str) -> Approval:
    """Take a held decision back: what it planned is void, the thread is at its question again.

    Raises AlreadyReleased once the gate let it out; the sentence says when.
    """
    check_may_decide(actor.member)
    approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    undo(tx, approval)
    thread = get_thread(tx.conn, actor.tenant_id, approval.thread_id)
    refuse_ended(thread)
    _bring_back(tx, thread, approval, actor.now, cause="undo")
    actor.note(tx, "undone", approval.thread_id, approval=approval.id, version=approval.version + 1)
    return get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)


_WHY = {"undo": "undone", "amend": "amended"}


def _bring_back(tx: Tx, thread: Thread, approval: Approval, now: datetime, *, cause: str) -> None:
    void_planned(tx, thread.tenant_id, [thread.id], _WHY[cause])
    put_back(tx, thread, approval.step, now, cause=cause, asks_again=True)


def release_decision(tx: Tx, desk: Desk, actor: Actor, approval_id: str) -> Approval:
    """End a decision's hold now; a worker carries it out."""
    check_may_decide(actor.member)
    approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    release_now(tx, approval, actor.now)
    thread = get_thread(tx.conn, actor.tenant_id, approval.thread_id)
    refuse_ended(thread)
    wake_when_released(tx, thread, actor.now, actor.now)
    actor.note(tx, "released_by_hand", thread.id, approval=approval.id, version=approval.version + 1)
    return get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)


def amend_person(tx: Tx, desk: Desk, actor: Actor, thread_id: str, *, name: str | None, email: str | None) -> int:
    """Write a new version of a person's name or address, and answer it; questions that rest on it are asked anew."""
    check_may_decide(actor.member)
    if any(given is not None and not given.strip() for given in (name, email)) or (name is None and email is None):
        raise BadInput("Give a name or an address to amend.")
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    person = amended(
        read_people(tx.conn, actor.tenant_id, {thread_id: keys})[thread_id],
        name=display_name(name) if name else None,
        email=check_email(email) if email else None,
    )
    write_person(tx, keys, person)
    if name is not None:
        drop_lookups(tx, actor.tenant_id, thread_id, "name_word")
        words = [desk.vault.lookup_hash(actor.tenant_id, "name_word", word) for word in fold_words(name)]
        add_lookups(tx, keys, "name_word", words, scope=thread_id)
    if email is not None:
        _move_address(tx, desk, actor, thread_id, email)
    actor.note(tx, "amended", thread_id, version=person.version)
    if not thread.has_ended:
        _ask_held_again(tx, desk, actor, thread)
    return person.version


def _move_address(tx: Tx, desk: Desk, actor: Actor, thread_id: str, email: str) -> None:
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    drop_lookups(tx, actor.tenant_id, thread_id, "address")
    value = desk.vault.lookup_hash(actor.tenant_id, "address", normalise_email(email))
    add_lookups(tx, keys, "address", [value], scope=thread_id)


def _ask_held_again(tx: Tx, desk: Desk, actor: Actor, thread: Thread) -> None:
    where = of_threads([thread.id]) & approvals.c.status.in_(("pending", "approved", "rejected"))
    for approval in list_approvals(tx.conn, desk.vault, actor.tenant_id, where):
        if approval.is_held:
            restore(tx, approval, [])
        if approval.status == "pending" or approval.is_held:
            _bring_back(tx, thread, approval, actor.now, cause="amend")
            return
