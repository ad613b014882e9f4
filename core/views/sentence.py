"""The one sentence a thread can say: waits for what, since when, until when, and what happens then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from core.clock import UNREADABLE
from core.threads.rows import Thread

_PARKED = {
    "by_hand": "a person parked it",
    "effect_unknown": "nobody knows whether a letter was sent; settle that first with `effects settle`",
    "unknown_step": "the loaded code does not know its step",
    "state_unreadable": "a saved field cannot be read",
    "died_too_often": "its step killed its worker ten times in a row",
    "sending_is_off": "sending is switched off",
    "turned_down": "the outside refused it for good, and nothing was sent",
}
_AFTER = {"effect_unknown": "It goes on by itself then.", "by_hand": "`{retry}`."}
STALLED = {"sending_is_off": "sending is switched on again"}
_ENDS = {"completed": "Ended", "rejected": "Ended by a person's no", "failed": "Stopped", "erased": "Erased"}


def waits_for(thread: Thread) -> str | None:
    """Say what a thread waits for in a few words, or None where it waits for nothing."""
    match thread.status:
        case "parked":
            return "a repair"
        case "ready":
            return "a worker" if thread.tries == 0 else "the next try"
        case "waiting" if stalled_by(thread):
            return "sending"
        case "awaiting_review" | "waiting":
            return _WAITS[thread.waits_for or "time"].format(events=_events(thread))
        case _:
            return None


def stalled_by(thread: Thread) -> str | None:
    """Say until when a thread stands still that was due, or None where it does not."""
    return STALLED.get(thread.parked_why or "") if thread.status == "waiting" else None


_WAITS = {"person": "a person", "event": "an event: {events}", "time": "a time"}


def _events(thread: Thread) -> str:
    return " or ".join(thread.wait_events or ())


def until_of(thread: Thread) -> datetime | None:
    """Answer until when a thread waits, or None where nothing ends the wait by itself."""
    if thread.has_ended or thread.status in ("running", "parked"):
        return None
    return thread.wake_at if thread.status == "ready" else thread.until_at


def sentence(thread: Thread, zone: ZoneInfo, *, asked: Sequence[str] = ()) -> str:
    """Say it. `asked` names the questions that stand, for a thread that waits for a person."""
    if thread.has_ended:
        return f"{_ENDS[thread.status]} {say_time(thread.since_at, zone)}: {thread.outcome or thread.status}."
    match thread.status:
        case "ready":
            return _ready(thread, zone)
        case "running":
            return f"Running now: {thread.step}."
        case "parked":
            why = _PARKED.get(thread.parked_why or "", thread.parked_why)
            then = _AFTER.get(thread.parked_why or "", "After the repair: `{retry}`.")
            retry = f"retry {thread.id} --as EMAIL"
            return f"Parked since {say_time(thread.since_at, zone)}: {why}. {then.format(retry=retry)}"
        case _:
            return _waiting(thread, zone, asked)


def _ready(thread: Thread, zone: ZoneInfo) -> str:
    if thread.tries:
        return f"Failed {thread.tries} time(s); tries again {say_time(thread.wake_at, zone)}."
    return f"Ready since {say_time(thread.since_at, zone)}: a worker takes it up."


def _waiting(thread: Thread, zone: ZoneInfo, asked: Sequence[str]) -> str:
    stalled = stalled_by(thread)
    if stalled is not None:
        return f"Waits since {say_time(thread.since_at, zone)} until {stalled}; then it goes on by itself."
    since, until, next_at = (say_time(at, zone) for at in (thread.since_at, thread.until_at, thread.wake_at))
    match thread.waits_for:
        case "person":
            about = f" ({', '.join(asked)})" if asked else ""
            return f"Waits for a person{about} since {since}; nothing happens by itself."
        case "event":
            events = _events(thread)
            return f"Waits for {events} since {since}, until {until}; {next_at} {thread.then_what} if nothing comes."
        case _:
            return f"Decided; {thread.then_what} {next_at}. Undo until then."


def say_time(instant: datetime | None, zone: ZoneInfo) -> str:
    """Say an instant in a person's zone: `Tue 18 Aug 09:02 BST`."""
    if instant is None:
        return "no time"
    if instant == UNREADABLE:
        return "at a time that cannot be read"
    return instant.astimezone(zone).strftime("%a %-d %b %H:%M %Z")
