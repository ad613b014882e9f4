"""The questions the record answers, each with the words it is asked in and the rows that answer it.

True and false come from rows only. None means that the rows cannot tell: nobody knows whether a letter left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.clock import read_instant
from core.errors import BadInput
from core.review.read import Approval
from core.views.ask_facts import Facts
from core.views.sentence import say_time, sentence

Said = tuple[bool | None, str]


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of question. `phrases` are the folded words it is known by; the first verb that has one is meant.

    `asks` is the question itself, with a place for a name.
    """

    name: str
    asks: str
    phrases: tuple[str, ...]
    answer: Callable[[Facts], Said]


def _invited(facts: Facts) -> Said:
    return _letter(facts, "invite") or _undecided(facts, "approve")


def _reminded(facts: Facts) -> Said:
    return _letter(facts, "reminder") or (False, f"No reminder has left. {_status(facts)[1]}")


def _declined(facts: Facts) -> Said:
    said = _letter(facts, "decline")
    if said is None and facts.thread.outcome == "declined":
        return True, f"Yes. {_decided(facts)}; no letter went."
    return said or _undecided(facts, "reject")


def _letter(facts: Facts, name: str) -> Said | None:
    """Answer from the ledger, or None where it does not settle the question."""
    entry = facts.letters.get(name)
    if entry is None or entry.status == "planned":
        return None
    if entry.status == "done":
        return (
            True,
            f"Yes. {say_time(entry.done_at, facts.zone)}, key {entry.key}, {_by(facts)}, rubric v{facts.rubric}.",
        )
    if entry.status == "void":
        return (
            None
            if facts.decision is None or entry.why in _TAKEN_BACK
            else (False, f"No. Held back: {_words(entry.why)}.")
        )
    if entry.status == "unknown":
        return None, f"Nobody knows whether {entry.key} was sent; a person settles it."
    return None, f"{entry.key} is being sent since {say_time(entry.sending_at, facts.zone)}; it may have left."


_TAKEN_BACK = ("undone", "amended", "not_approved", "person_may_not_decide")


def _undecided(facts: Facts, verdict: str) -> Said:
    """Answer for a letter that has not left, from the decision that it waits for."""
    decision = facts.decision
    if decision is None:
        return False, f"No. {_status(facts)[1]}"
    if decision.verdict != verdict:
        return False, f"No. {_decided(facts)}."
    if decision.release_at is not None and decision.release_at > facts.now:
        leaves = say_time(decision.release_at, facts.zone)
        clock = decision.release_at.astimezone(facts.zone).strftime("%H:%M")
        return False, f"{_VERDICTS[verdict]}, leaves {clock} ({leaves}), {_by(facts)}, rubric v{facts.rubric}."
    return False, f"Not yet. {_decided(facts)}; it has not left. {_status(facts)[1]}"


_VERDICTS = {"approve": "Approved", "reject": "Declined"}
_DECIDED = {"approve": "approved", "reject": "declined"}


def _by(facts: Facts) -> str:
    decision = facts.decision
    return f"{_DECIDED[decision.verdict or 'approve']} by {facts.decider()}" if decision else "decided by nobody"


def _decided(facts: Facts) -> str:
    decision: Approval | None = facts.decision
    if decision is None:
        return "Nobody has decided"
    return (
        f"{_VERDICTS[decision.verdict or 'approve']} by {facts.decider()} {say_time(decision.decided_at, facts.zone)}"
    )


def _by_whom(facts: Facts) -> Said:
    if facts.decision is None:
        return False, f"Nobody has decided. {_status(facts)[1]}"
    return True, f"{_decided(facts)}, rubric v{facts.rubric}."


def _applied(facts: Facts) -> Said:
    return True, f"Yes. {say_time(facts.thread.created_at, facts.zone)}, as {facts.thread.id}."


def _booked(facts: Facts) -> Said:
    in_time = [one for one in facts.bookings if not one.happened.late]
    taken = [one for one in in_time if one.consumed_by is not None or not facts.thread.has_ended]
    if taken:
        event = taken[0].happened
        return True, f"Yes. {_slot(facts, event.data.get('slot'))}, booked {say_time(event.received_at, facts.zone)}."
    if facts.bookings and not in_time:
        return False, f"No. A booking came too late, {say_time(facts.bookings[0].happened.received_at, facts.zone)}."
    return False, f"No. {_status(facts)[1]}"


def _slot(facts: Facts, slot: object) -> str:
    try:
        return f"Slot {say_time(read_instant(str(slot)), facts.zone)}"
    except BadInput:
        return f"Slot {slot}"


def _score(facts: Facts) -> Said:
    total, maximum = facts.field("total"), facts.field("max_total")
    if total is None:
        return False, f"There is no total. {_status(facts)[1]}"
    changed = facts.decision.remark.get("total") if facts.decision else None
    read_as = f", read as {changed} by {facts.decider()}" if changed is not None else ""
    return True, f"{total} of {maximum}{read_as}, rubric v{facts.rubric}."


def _rubric(facts: Facts) -> Said:
    if facts.rubric is None:
        return False, "No rubric version stands in its rows."
    return True, f"Rubric v{facts.rubric}."


def _status(facts: Facts) -> Said:
    return True, sentence(facts.thread, facts.zone, asked=facts.asked)


def _words(code: str | None) -> str:
    return (code or "no reason given").replace("_", " ")


# In this order: "who invited" is not "invited", and "the reminder's score" is about nothing.
VERBS = (
    Verb("by whom", "Who decided on {}?", (
        "who invited", "who approved", "who decided", "who declined", "who rejected", "by whom", "approved by",
        "invited by", "decided by", "declined by", "rejected by",
    ), _by_whom),
    Verb("rubric version", "Which rubric version was used for {}?", ("rubric", "rubrics"), _rubric),
    Verb("score", "What is the score of {}?", ("score", "scored", "scores", "total", "points"), _score),
    Verb("reminded", "Did we remind {}?", ("remind", "reminded", "reminder"), _reminded),
    Verb("booked", "Has {} booked?", ("book", "booked", "booking", "slot", "interview"), _booked),
    Verb("declined", "Did we decline {}?", (
        "decline", "declined", "reject", "rejected", "turned down", "turn down",
    ), _declined),
    Verb("invited", "Did we invite {}?", ("invite", "invited", "invitation", "approve", "approved"), _invited),
    Verb("applied", "Has {} applied?", ("apply", "applied", "application"), _applied),
    Verb("status", "What is the status of {}?", (
        "where is", "where are", "status", "what happened", "how is", "what about", "waiting", "waits",
    ), _status),
)  # fmt: skip
BARE_NAME = VERBS[6]
