"""Taking an invite back: a question of its own, asked while the thread waits for the booking, with its letter to see.

The invite stands until the answer is released: a booking that comes first ends the thread as booked, and the deadline
ends the question too.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from core.steps import Advance, Effect, Finish, Interrupt, Kit, Option, Outcome, Question
from core.workflows.screening.history import remember_application
from core.workflows.screening.letters import letter, numbered, sources
from core.workflows.screening.state import Screening


def is_asked(kit: Kit, state: Screening) -> bool:
    """Say whether a person asks, or asked and has not answered, to take the invite back."""
    return kit.event("retract") is not None or state.retracting


def retract(kit: Kit, state: Screening, deadline: datetime) -> Outcome:
    """Ask whether the invite is taken back, and carry the answer on."""
    answer = kit.answer
    if answer is not None and answer.verdict == "reject":
        return Advance(replace(state, retracting=False), "The invite stands.", to="reminder")
    if answer is not None:
        receipt = kit.once(answer.effects[0])
        if receipt.held_back is None:
            remember_application(kit, state, "invite retracted")
            return Finish(state, "retracted", "completed", "The invite was taken back.")
    if kit.clock.now() >= deadline:
        remember_application(kit, state, "invited, no booking in time")
        return Finish(state, "expired", "completed", "The window passed.")
    return Interrupt(replace(state, retracting=True), _question(kit, state, deadline))


def _question(kit: Kit, state: Screening, deadline: datetime) -> Question:
    role, given = kit.config("role"), sources(kit)
    return Question(
        kind="retraction",
        about=_name(state),
        title=f"{role.content['title']}: take the invite back?",
        options=(
            Option("approve", "Retract the invite", (_effect(kit, state),)),
            Option("reject", "Keep the invite"),
        ),
        basis={"letters": given.letters.version, "person": kit.person.version, "role": role.version},
        due_hours=role.content["question_due_hours"],
        expires_at=deadline,
    )


def _effect(kit: Kit, state: Screening) -> Effect:
    return letter("retraction", sources(kit), key=_name(state))


def _name(state: Screening) -> str:
    return f"{numbered('invite', state.invite_number)}/retract"
