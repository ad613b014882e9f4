"""What a person does in a sitting: the same commands as anywhere, written down as part of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.db.store import Tx
from core.desk.decisions import Answer, decide_approval, release_decision, take_back_after_look
from core.desk.desk import Actor, Desk
from core.errors import BadInput, NotFound
from core.people.people import check_may_decide
from core.review.decide import refuse_moved
from core.review.looks import close as close_look
from core.review.looks import hold, hold_on, list_open, why_again
from core.review.read import Approval, get_approval
from core.review.sittings import SittingAnswer, add_verdict, end, is_against, put_aside, sit
from core.steps import Verdict
from core.threads.repair import wake_when_released
from core.threads.rows import get_thread

LONGEST_LOOK_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Look:
    """How a question was looked at: for how long, None in a batch. One of over an hour was left lying.

    `wants_another` says that the person wants a second look at the end of the sitting.
    """

    took_ms: int | None
    wants_another: bool = False


def decide_in_sitting(tx: Tx, desk: Desk, actor: Actor, approval_id: str, answer: Answer, look: Look) -> Approval:
    """Answer a question in the person's sitting, opening one where none is. Raises as decide_approval does."""
    asked = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    decided = decide_approval(tx, desk, actor, approval_id, answer)
    sitting_id = _sit(tx, actor)
    given = SittingAnswer(
        person_id=actor.member.id,
        approval_id=decided.id,
        thread_id=decided.thread_id,
        version=decided.version,
        verdict=answer.verdict,
        at=actor.now,
        took_ms=None if look.took_ms is None else min(max(look.took_ms, 0), LONGEST_LOOK_MS),
        is_against=is_against(asked, answer.verdict, answer.total),
        is_edited=_is_edited(asked, answer),
        look_why=None
        if look.took_ms is None
        else why_again(asked, answer.verdict, look.took_ms, by_hand=look.wants_another),
        leaves_at=decided.release_at,
    )
    add_verdict(tx, actor.tenant_id, sitting_id, given)
    if given.look_why is not None:
        hold(tx, decided, actor.now)
    return get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)


def look_again(tx: Tx, desk: Desk, actor: Actor, approval_id: str, verdict: Verdict) -> bool:
    """Answer a second look, and say whether it says the same as the first.

    The same: the first stands and its own hold counts. Another: the first is taken back and the question stands again,
    both said on it; nothing left. Raises NotFound where no second look of this person's waits there.
    """
    check_may_decide(actor.member)
    waiting = list_open(tx.conn, actor.tenant_id, actor.member.id, actor.now)
    one = next((row for row in waiting if row.approval_id == approval_id), None)
    if one is None:
        raise NotFound("No second look waits there any more; its sitting ended, or it was undone.")
    leaves_at = close_look(tx, one, actor.now, verdict)
    _sit(tx, actor)
    actor.note(tx, "looked_again", one.thread_id, approval=approval_id, first=one.verdict, second=verdict)
    if one.verdict == verdict:
        thread = get_thread(tx.conn, actor.tenant_id, one.thread_id)
        wake_when_released(tx, thread, leaves_at, actor.now, still_asks=False)
        return True
    approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    take_back_after_look(tx, actor, approval, f"the second look ({one.verdict}, then {verdict})")
    return False


def release_in_sitting(tx: Tx, desk: Desk, actor: Actor, approval_id: str) -> Approval:
    """End a hold from the page; refused while a second look of whoever is here waits on it."""
    if any(one.approval_id == approval_id for one in list_open(tx.conn, actor.tenant_id, actor.member.id, actor.now)):
        raise BadInput("It waits for your second look; answer that, or end the sitting.")
    return release_decision(tx, desk, actor, approval_id)


def _hold_on(tx: Tx, actor: Actor) -> None:
    hold_on(tx, list_open(tx.conn, actor.tenant_id, actor.member.id, actor.now), actor.now)


def _is_edited(asked: Approval, answer: Answer) -> bool:
    by_hand = any(one.edited_by is not None for one in asked.choices if one.verdict == answer.verdict)
    return by_hand or answer.total is not None or bool(answer.points)


LONGEST_SNOOZE = timedelta(days=30)


def snooze(tx: Tx, desk: Desk, actor: Actor, approval_id: str, until: datetime) -> datetime:
    """Put a waiting question aside for this person only, and answer until when: never past its due time.

    A question that is due already may be put aside all the same. A time that has come brings it back at once. Raises
    AlreadyDecided where it waits no more, and BadInput past 30 days.
    """
    check_may_decide(actor.member)
    approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    refuse_moved(approval, approval.version, None)
    if until - actor.now > LONGEST_SNOOZE:
        raise BadInput("A question can be put aside for 30 days at most.")
    last = min(until, approval.due_at) if approval.due_at > actor.now else until
    put_aside(tx, approval, actor.member.id, last, actor.now)
    _sit(tx, actor)
    return last


def _sit(tx: Tx, actor: Actor) -> str:
    sitting_id = sit(tx, actor.tenant_id, actor.member.id, actor.now)
    _hold_on(tx, actor)
    return sitting_id


def end_sitting(tx: Tx, actor: Actor) -> str:
    """End this person's sitting and answer its id; second looks that wait end with it, their own holds count again."""
    check_may_decide(actor.member)
    for one in list_open(tx.conn, actor.tenant_id, actor.member.id, actor.now):
        leaves_at = close_look(tx, one, actor.now, None)
        thread = get_thread(tx.conn, actor.tenant_id, one.thread_id)
        wake_when_released(tx, thread, leaves_at, actor.now, still_asks=False)
    sitting_id = end(tx, actor.tenant_id, actor.member.id, actor.now)
    actor.note(tx, "sitting_ended", None, sitting=sitting_id)
    return sitting_id
