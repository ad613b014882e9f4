"""Lend a thing: ask a person, send one letter, then wait for it to come back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.steps import (
    Advance,
    Effect,
    Finish,
    Interrupt,
    Kit,
    Option,
    Outcome,
    Question,
    Rule,
    Step,
    Wait,
    Workflow,
    kept,
)

LENT_FOR = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Loan:
    """What this thread knows: the thing, and when it is due back."""

    item: str = field(default="", metadata=kept(Rule.CLOSE_6_MONTHS))
    due_at: datetime | None = field(default=None, metadata=kept(Rule.CLOSE_6_MONTHS))


def lend(kit: Kit, state: Loan) -> Outcome:
    """Ask whether the thing may go; after a yes, send the letter once."""
    state = replace(state, item=kit.person.form["item"])
    if kit.person.email is None:
        return Finish(state, "no_address", "failed", "The form has no address to write to.")
    if kit.answer is None:
        return Interrupt(state, _question(kit, state))
    if kit.answer.verdict == "reject":
        return Finish(state, "declined", "rejected", f"The {state.item} stays here.")
    receipt = kit.once(kit.answer.effects[0])
    if receipt.sent_at is None:
        return Finish(state, "held_back", "failed", f"No letter about the {state.item}: {receipt.held_back}.")
    due_at = receipt.sent_at + LENT_FOR
    return Advance(replace(state, due_at=due_at), f"The {state.item} is due back on {due_at:%Y-%m-%d}.")


def take_back(kit: Kit, state: Loan) -> Outcome:
    """Wait for the return, or for the day it is due."""
    assert state.due_at is not None  # noqa: S101 - the step before sets it
    if back := kit.event("returned"):
        outcome = "returned_late" if back.late else "returned"
        return Finish(state, outcome, "completed", f"The {state.item} came back.")
    if kit.clock.now() >= state.due_at:
        return Finish(state, "missing", "completed", f"The {state.item} did not come back in time.")
    return Wait(state, ("returned",), wake_at=state.due_at, until=state.due_at, then="the loan ends as missing")


def _question(kit: Kit, state: Loan) -> Question:
    body = f"You may fetch the {state.item}. Please bring it back within fourteen days."
    mail = {"to": kit.person.email, "subject": f"Your loan: {state.item}", "body": body}
    letter = Effect(name="letter", kind="mail", payload=mail)
    options = (Option("approve", f"Lend the {state.item}", (letter,)), Option("reject", "Say no"))
    basis = {"person": kit.person.version}
    return Question("loan", "letter", f"May the {state.item} go?", options, basis=basis)


LOAN = Workflow(
    name="loan",
    version=1,
    state=Loan,
    steps=(Step("lend", "Lend it", lend), Step("take_back", "Take it back", take_back)),
    events=("returned",),
)
