"""Decide, undo, release, amend. A decision is written here and carried out by a worker, never the other way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.catalog.configs import get_config
from core.catalog.roles import get_role
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.effects.plan import void_planned
from core.errors import BadInput, RoleClosed, StaleVersion
from core.identity import check_email, check_name
from core.limits import REASON, one_line
from core.people.people import check_may_decide, names_of
from core.review.decide import Decision, decide, refuse_expired, refuse_moved, release_now, restore, say_moved, undo
from core.review.read import Approval, approvals, get_approval, has_pending, list_approvals, of_threads
from core.steps import Json, OnlyIf, Person, Verdict
from core.threads.pinned import POLICY, get_pinned
from core.threads.repair import put_back, refuse_ended, wake_when_released
from core.threads.rows import Thread, get_thread
from core.vault.findable import write_findable
from core.vault.subjects import amended, find_person_version, read_people, refuse_erased


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answers: verdict, on which version, and what comes with it.

    `points` are the person's own, by criterion.
    """

    verdict: Verdict
    seen_version: int
    fields: Mapping[str, Json] = field(default_factory=dict)
    reason: str | None = None
    total: int | None = None
    points: Mapping[int, int] = field(default_factory=dict)


def read_points(text: str) -> dict[int, int]:
    """Read points of one's own, such as `3=4 5=2`, by criterion; raises BadInput."""
    points = {}
    for pair in text.replace(",", " ").split():
        number, _, own = pair.partition("=")
        if not (number.isdecimal() and own.isdecimal()):
            raise BadInput(f"{pair[:40]!r} is not a criterion and its points; write them like 3=4.")
        points[int(number)] = int(own)
    return points


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
    _refuse_outdated(tx, thread, approval)
    _refuse_closed(tx, thread, approval, answer.verdict)
    decision = Decision(
        verdict=answer.verdict,
        seen_version=answer.seen_version,
        by=actor.member.id,
        release_at=_release_at(tx, desk, actor, thread, approval),
        answer=answer.fields,
        reason=one_line(answer.reason, REASON, "The reason"),
        total=answer.total,
        points=answer.points,
    )
    decided = decide(tx, desk.vault.keys(actor.tenant_id, thread.id), approval, decision, actor.now)
    _wake(tx, thread, decision.release_at, actor.now)
    actor.note(tx, "decided", thread.id, approval=approval.id, version=decided.version, verdict=answer.verdict)
    return decided


def _wake(tx: Tx, thread: Thread, release_at: datetime, now: datetime) -> None:
    wake_when_released(tx, thread, release_at, now, still_asks=has_pending(tx.conn, thread.tenant_id, thread.id))


def _refuse_outdated(tx: Tx, thread: Thread, approval: Approval) -> None:
    """Refuse to answer a question that was asked for another version of the person, the rubric or whatever it rests on.

    Its letters were frozen, and its evidence was read, for what stood then.
    """
    stands: dict[str, Json] = dict(thread.configs)
    stands["person"] = find_person_version(tx.conn, approval.tenant_id, approval.thread_id)
    for name, rests_on in approval.basis.items():
        if stands.get(name) not in (None, rests_on):
            raise StaleVersion(
                f"{approval.about} of {approval.thread_id} was asked for version {rests_on} of the {name}, which is "
                f"{stands[name]} now; it is asked anew. Look again when a worker has done so."
            )


def _refuse_closed(tx: Tx, thread: Thread, approval: Approval, verdict: Verdict) -> None:
    """Refuse an answer whose letter the gate would keep in because the role is closed."""
    if thread.role_id is None or not any(OnlyIf.ROLE_OPEN in one.only_if for one in approval.effects(verdict)):
        return
    if get_role(tx.conn, thread.tenant_id, thread.role_id).status != "open":
        raise RoleClosed(
            f"Role {thread.role_id} is closed, so {approval.about} of {thread.id} would not leave; open the role again "
            "first, or decline."
        )


def _release_at(tx: Tx, desk: Desk, actor: Actor, thread: Thread, approval: Approval) -> datetime:
    """Answer when the hold ends: as long as the thread's role or policy says, else as the home does.

    Shorter before an expiry.
    """
    own = _hold_of_policy(tx, thread) if thread.role_id is None else _hold_of_role(tx, thread)
    held = actor.now + (desk.hold_of(actor.tenant) if own is None else own)
    return held if approval.expires_at is None else max(actor.now, min(held, approval.expires_at))


def _hold_of_role(tx: Tx, thread: Thread) -> timedelta | None:
    if thread.role_id is None or "role" not in thread.configs:
        return None
    role = get_config(tx.conn, thread.tenant_id, thread.role_id, "role", thread.configs["role"])
    seconds = role.content.get("hold_seconds")
    return None if seconds is None else timedelta(seconds=seconds)


def _hold_of_policy(tx: Tx, thread: Thread) -> timedelta | None:
    if POLICY not in thread.configs:
        return None
    seconds = get_pinned(tx.conn, thread, POLICY).content.get("hold_seconds")
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


def take_back_after_look(tx: Tx, actor: Actor, approval: Approval, moved: str) -> None:
    """Take a held answer back because the second look said otherwise; the question stands again and says so."""
    restore(tx, approval, [moved])
    thread = get_thread(tx.conn, actor.tenant_id, approval.thread_id)
    refuse_ended(thread)
    _bring_back(tx, thread, approval, actor.now, cause="undo")


def ask_again(tx: Tx, desk: Desk, actor: Actor, thread_id: str) -> list[str]:
    """Ask what stands in a thread anew, on what is true now, and answer the questions; held answers are drafts then.

    Each gets a new version, so that an answer to the one before is refused. Raises BadInput where nothing stands.
    """
    check_may_decide(actor.member)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    refuse_ended(thread)
    where = of_threads([thread.id]) & approvals.c.status.in_(("pending", "approved", "rejected"))
    asked = [one for one in list_approvals(tx.conn, desk.vault, actor.tenant_id, where) if not one.released_at]
    if not asked:
        raise BadInput(f"{thread_id} asks nothing that could be asked again; what was answered is carried out.")
    for one in asked:
        restore(tx, one, ["asked again by hand"])
    _bring_back(tx, thread, asked[0], actor.now, cause="undo")
    tx.nudges = True
    actor.note(tx, "asked_again", thread_id, version=thread.version, approvals=[one.id for one in asked])
    return [one.id for one in asked]


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
    _wake(tx, thread, actor.now, actor.now)
    actor.note(tx, "released_by_hand", thread.id, approval=approval.id, version=approval.version + 1)
    return get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)


def amend_person(tx: Tx, desk: Desk, actor: Actor, thread_id: str, *, name: str | None, email: str | None) -> int:
    """Write a new version of a person's name or address, and answer it; questions that rest on it are asked anew.

    What stands already is no new version, and changes nothing. What was only read in a file and is given just so is
    confirmed, which is one.
    """
    check_may_decide(actor.member)
    if any(given is not None and not given.strip() for given in (name, email)) or (name is None and email is None):
        raise BadInput("Give a name or an address to amend.")
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    before = read_people(tx.conn, actor.tenant_id, {thread_id: keys})[thread_id]
    person = amended(before, name=check_name(name) if name else None, email=check_email(email) if email else None)
    if person is None:
        return before.version
    write_findable(tx, desk.vault, keys, person)
    actor.note(tx, "amended", thread_id, version=person.version)
    if not thread.has_ended:
        _ask_held_again(tx, desk, actor, thread, list(_moved_of(before, person)))
    return person.version


def _moved_of(before: Person, after: Person) -> Iterator[str]:
    """Name what an amendment changed, and what was only read and is confirmed by being given just so."""
    for field_name, word in (("name", "the name"), ("email", "the address")):
        if getattr(before, field_name) != getattr(after, field_name):
            yield word
        elif field_name in before.read and field_name not in after.read:
            yield f"{word} (confirmed)"


def _ask_held_again(tx: Tx, desk: Desk, actor: Actor, thread: Thread, moved: Sequence[str]) -> None:
    where = of_threads([thread.id]) & approvals.c.status.in_(("pending", "approved", "rejected"))
    for approval in list_approvals(tx.conn, desk.vault, actor.tenant_id, where):
        if approval.is_held:
            restore(tx, approval, moved)
        elif approval.status == "pending":
            say_moved(tx, approval, moved)
        if approval.status == "pending" or approval.is_held:
            _bring_back(tx, thread, approval, actor.now, cause="amend")
            return
