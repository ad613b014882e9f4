"""Sending the invite once more, on purpose: a letter under a key of its own, with an approval of its own.

The first one stands as it is, and the window with it. What is sent is the invite as it is filled now, with the page on
which the first one is answered.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from core.steps import Advance, Effect, Interrupt, Kit, OnlyIf, Option, Outcome, Question
from core.workflows.screening.letters import letter, numbered, sources
from core.workflows.screening.state import Screening


def is_resend_asked(kit: Kit, state: Screening) -> bool:
    """Say whether a person asks, or asked and has not answered, to send the invite once more."""
    return kit.event("resend") is not None or state.resending


def resend(kit: Kit, state: Screening, deadline: datetime) -> Outcome:
    """Ask whether the invite is sent once more, and carry the answer on."""
    answer = kit.answer
    if answer is None:
        return Interrupt(replace(state, resending=True), _question(kit, state, deadline))
    answered = replace(state, resending=False)
    if answer.verdict == "reject":
        return _go_on(answered, "The invite was not sent again.")
    receipt = kit.once(answer.effects[0])
    said = "The invite was sent again." if receipt.held_back is None else f"Not sent again: {receipt.held_back}."
    return _go_on(replace(answered, resent=state.resent + 1), said)


def _go_on(state: Screening, said: str) -> Advance:
    return Advance(state, said, to="booking" if state.reminder_sent else "reminder")


def _question(kit: Kit, state: Screening, deadline: datetime) -> Question:
    role, effect = kit.config("role"), _effect(kit, state)
    return Question(
        kind="resend",
        about=effect.name,
        title=f"{role.content['title']}: send the invite once more?",
        options=(Option("approve", "Send it again", (effect,)), Option("reject", "Leave it at the first")),
        basis={"letters": kit.config("letters").version, "person": kit.person.version, "role": role.version},
        due_hours=role.content["question_due_hours"],
        expires_at=deadline,
    )


def _effect(kit: Kit, state: Screening) -> Effect:
    first = numbered("invite", state.invite_number)
    again = letter("invite", sources(kit, kit.answer_link(first)), key=f"{first}/again/{state.resent + 1}")
    return replace(again, only_if=(OnlyIf.ROLE_OPEN, OnlyIf.NO_NEW_EVENT))
