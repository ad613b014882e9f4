"""The steps after the answer: invite, reminder, booking. Their only timers are instants in state and rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from core.errors import StepFailed
from core.steps import Advance, Finish, Happened, Kit, Outcome, Wait
from core.workflows.screening.events import EVENTS, slot_of
from core.workflows.screening.history import remember_application
from core.workflows.screening.state import Screening

_ON_TIME = timedelta(minutes=1)


def invite(kit: Kit, state: Screening) -> Outcome:
    """Send the invite once; the window begins when the ledger says it left."""
    receipt = kit.once(kit.approved("invite"))
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
    before = _hours(kit, "reminder_hours")
    if _hours(kit, "window_hours") <= before:
        return Advance(state, "No reminder: the window is shorter than the offset.")
    deadline, now = _deadline(kit, state), kit.clock.now()
    due = deadline - before
    if now >= deadline:
        return Advance(state, "Skipped: the deadline had passed.")
    if now < due:
        if kit.has_event(*EVENTS):
            return Advance(state, "Not needed.")
        return Wait(state, EVENTS, due, deadline, "a reminder goes")
    return _remind(kit, state, before, deadline)


def _remind(kit: Kit, state: Screening, before: timedelta, deadline: datetime) -> Advance:
    receipt = kit.once(kit.approved("reminder"))
    if receipt.held_back is not None:
        return Advance(state, f"Skipped: {receipt.held_back}.")
    left = deadline - (receipt.sent_at or kit.clock.now())
    late = before - left
    when = _say(before) if late < _ON_TIME else f"{_say_exactly(late)} late, {_say_exactly(left)}"
    return Advance(replace(state, reminder_sent=True), f"{when} before the deadline.")


def booking(kit: Kit, state: Screening) -> Outcome:
    """Wait for a slot or a withdrawal until the deadline; at the deadline itself it is over."""
    event = kit.event(*EVENTS)
    if event is not None and not event.late:
        return _take(kit, state, event)
    deadline = _deadline(kit, state)
    if kit.clock.now() < deadline:
        return Wait(state, EVENTS, deadline, deadline, "the invite expires")
    remember_application(kit, state, "invited, no booking in time")
    return Finish(state, "expired", "completed", "The window passed.")


def _take(kit: Kit, state: Screening, event: Happened) -> Finish:
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
