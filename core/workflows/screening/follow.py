"""The steps after the answer: invite, reminder, booking. Their only timers are instants in state and rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from core.errors import StepFailed
from core.steps import Advance, Finish, Happened, Kit, Outcome, Wait
from core.workflows.screening.events import ANSWERS, ASKED, slot_of
from core.workflows.screening.history import remember_application
from core.workflows.screening.letters import numbered
from core.workflows.screening.resend import is_resend_asked, resend
from core.workflows.screening.retract import is_asked, retract
from core.workflows.screening.state import Screening

_ON_TIME = timedelta(minutes=1)
_MOVED = "The deadline was moved."


def invite(kit: Kit, state: Screening) -> Outcome:
    """Send the invite once; the window begins when the ledger says it left."""
    receipt = kit.once(kit.approved(numbered("invite", state.invite_number)))
    if receipt.held_back is not None or receipt.sent_at is None:
        remember_application(kit, state, "not invited")
        return Finish(state, "not_sent", "completed", f"Held back: {receipt.held_back or 'no reason given'}.")
    window = _hours(kit, "window_hours")
    invited = replace(state, invite_key=receipt.key, sent_at=receipt.sent_at, deadline=receipt.sent_at + window)
    return Advance(invited, f"The window for a booking is {_say(window)}.")


def reminder(kit: Kit, state: Screening) -> Outcome:
    """Remind once, so many hours before the deadline, unless there is nothing left to remind of.

    Once the reminder is due, the ledger's gate alone says whether an event came first: the letter may have
    left in an earlier run of this step.
    """
    moved = _moved(kit, state)
    if moved != state:
        return _wait_anew(kit, moved)
    returned = None if kit.has_event(*ANSWERS) else _returned(kit, state)
    return returned or _reminder(kit, state)


def _moved(kit: Kit, state: Screening) -> Screening:
    """Take the instant that a person moved the deadline to; the last one that was asked for stands."""
    while (event := kit.event("deadline")) is not None:
        state = replace(state, deadline=datetime.fromisoformat(event.data["until"]))
    return state


def _wait_anew(kit: Kit, state: Screening) -> Outcome:
    """Wait for the reminder of a deadline that was moved; one that is due already goes a minute later.

    The gate lets a reminder out only to a thread that waits, and to which nothing new came.
    """
    deadline, soon = _deadline(kit, state), kit.clock.now() + timedelta(minutes=1)
    due = max(deadline - _hours(kit, "reminder_hours"), soon)
    if due >= deadline:
        return Advance(state, "Skipped: the deadline was moved to now.")
    return Wait(state, ANSWERS, due, deadline, "a reminder goes")


def _reminder(kit: Kit, state: Screening) -> Outcome:
    before = _hours(kit, "reminder_hours")
    if _hours(kit, "window_hours") <= before:
        return Advance(state, "No reminder: the window is shorter than the offset.")
    deadline, now = _deadline(kit, state), kit.clock.now()
    due = deadline - before
    if now >= deadline:
        return Advance(state, "Skipped: the deadline had passed.")
    if now < due:
        if kit.has_event(*ANSWERS, *ASKED):  # what was asked is dealt with where the booking is waited for
            return Advance(state, "Not needed.")
        return Wait(state, ANSWERS, due, deadline, "a reminder goes")
    return _remind(kit, state, before, deadline)


def _remind(kit: Kit, state: Screening, before: timedelta, deadline: datetime) -> Advance:
    receipt = kit.once(kit.approved(numbered("reminder", state.invite_number)))
    if receipt.held_back is not None:
        return Advance(state, f"Skipped: {receipt.held_back}.")
    left = deadline - (receipt.sent_at or kit.clock.now())
    late = before - left
    when = _say(before) if late < _ON_TIME else f"{_say_exactly(late)} late, {_say_exactly(left)}"
    return Advance(replace(state, reminder_sent=True), f"{when} before the deadline.")


def booking(kit: Kit, state: Screening) -> Outcome:
    """Wait for a slot or a withdrawal until the deadline; at the deadline itself it is over.

    An answer that came in time goes before everything else; a letter that came back goes before the deadline. A
    deadline that was moved takes its reminder along, unless that has gone already.
    """
    before, state = state, _moved(kit, state)
    event = kit.event(*ANSWERS, before=state.deadline)
    if event is not None:
        return take_answer(kit, state, event)
    returned = _returned(kit, state)
    if returned is not None:
        return returned
    return _ask_or_wait(kit, state, moved=before.deadline != state.deadline)


def _ask_or_wait(kit: Kit, state: Screening, *, moved: bool) -> Outcome:
    deadline, now = _deadline(kit, state), kit.clock.now()
    again = kit.answer is not None and kit.answer.kind == "resend"
    if not again and is_asked(kit, state):
        return retract(kit, state, deadline)
    if now >= deadline:
        remember_application(kit, state, "invited, no booking in time")
        return Finish(state, "expired", "completed", "The window passed.")
    if again or is_resend_asked(kit, state):
        return resend(kit, state, deadline)
    if moved:
        return Advance(state, _MOVED, to="booking" if state.reminder_sent else "reminder")
    return Wait(state, ANSWERS, deadline, deadline, "the invite expires")


def _returned(kit: Kit, state: Screening) -> Advance | None:
    """Go back to the reviewer where a letter of this invite came back; the next one is another letter."""
    while (event := kit.event("bounce")) is not None:
        if not event.late and state.sent_at is not None and event.received_at >= state.sent_at:
            back = replace(
                state, came_back=True, invite_number=state.invite_number + 1, deadline=None, reminder_sent=False,
                retracting=False,
            )  # fmt: skip
            return Advance(back, "The letter came back.", to="review")
    return None


def withdrew(kit: Kit, state: Screening) -> Finish | None:
    """End the thread of whoever withdrew before a person answered."""
    if kit.event("withdraw") is None:
        return None
    remember_application(kit, state, "withdrew before review")
    return Finish(state, "withdrawn", "completed", "The applicant withdrew.")


def take_answer(kit: Kit, state: Screening, event: Happened) -> Finish:
    """End the thread as the applicant answered."""
    if event.name == "withdraw":
        remember_application(kit, state, "withdrew after the invite")
        return Finish(state, "withdrawn", "completed", "The applicant withdrew.")
    remember_application(kit, state, "booked")
    booked = replace(state, slot=slot_of(event.data))
    return Finish(booked, "booked", "completed", "The applicant chose a slot.")


def _hours(kit: Kit, setting: str) -> timedelta:
    return timedelta(hours=kit.config("role").content[setting])


def _deadline(kit: Kit, state: Screening) -> datetime:
    if state.deadline is None:
        raise StepFailed(f"{kit.thread_id} has no deadline, so nothing can be waited for; cancel or repair it.")
    return state.deadline


def _say_exactly(span: timedelta) -> str:
    hours, minutes = divmod(int(span.total_seconds() // 60), 60)
    return " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min")) if count) or "0 min"


def _say(span: timedelta) -> str:
    hours = int(span.total_seconds() // 3600)
    return f"{hours} hour" if hours == 1 else f"{hours} hours"
