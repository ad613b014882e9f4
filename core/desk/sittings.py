"""What a person does in a sitting: the same commands as anywhere, written down as part of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.db.store import Tx
from core.desk.decisions import Answer, decide_approval
from core.desk.desk import Actor, Desk
from core.errors import BadInput
from core.people.people import check_may_decide
from core.review.decide import refuse_moved
from core.review.read import Approval, get_approval
from core.review.sittings import SittingAnswer, add_verdict, end, is_against, put_aside, sit

LONGEST_LOOK_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Look:
    """How a question was looked at: for how long, None in a batch. One of over an hour was left lying."""

    took_ms: int | None


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
    )
    add_verdict(tx, actor.tenant_id, sitting_id, given)
    return decided


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
    return sit(tx, actor.tenant_id, actor.member.id, actor.now)


def end_sitting(tx: Tx, actor: Actor) -> str:
    """End this person's sitting and answer its id; what it released stays held as long as it was."""
    check_may_decide(actor.member)
    sitting_id = end(tx, actor.tenant_id, actor.member.id, actor.now)
    actor.note(tx, "sitting_ended", None, sitting=sitting_id)
    return sitting_id
