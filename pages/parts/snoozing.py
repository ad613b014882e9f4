"""Snooze: put a question aside for oneself until a time; it comes back by itself."""

from __future__ import annotations

from datetime import datetime, timedelta

import streamlit as st

from core.desk.sittings import snooze
from core.views.sentence import say_time
from pages.parts import deciding, identity, moving
from pages.parts.acting import act
from pages.parts.deciding import Seen
from pages.parts.identity import Here
from pages.parts.untrusted import toast

SNOOZING = "review.snoozing"


def is_asked(seen: Seen) -> bool:
    """Say whether the page asks until when."""
    return bool(st.session_state.get(SNOOZING) == seen.name)


def ask_until(seen: Seen) -> None:
    """Ask until when; nothing is put aside yet."""
    if not deciding.is_still():
        st.session_state[SNOOZING] = seen.name


def keep() -> None:
    """Put the question for a time away."""
    st.session_state.pop(SNOOZING, None)


def choices(here: Here) -> list[tuple[str, datetime]]:
    """Answer the times offered, in the home's own zone."""
    local = here.now.astimezone(here.zone)
    morning = local.replace(hour=9, minute=0, second=0, microsecond=0)
    monday = morning + timedelta(days=7 - local.weekday())
    offered = [here.now + timedelta(hours=1), here.now + timedelta(hours=4), morning + timedelta(days=1), monday]
    words = ("For 1 hour", "For 4 hours", "Until tomorrow 9:00", "Until Monday 9:00")
    return list(zip(words, offered, strict=True))


def put_aside(seen: Seen, until: datetime) -> None:
    """Put the question aside and go on to the next."""
    if deciding.is_still():
        return
    here = identity.require("viewer")
    keep()
    lasts: list[datetime] = []
    if act(here, "snooze", lambda tx: lasts.append(snooze(tx, here.app.desk, here.actor, seen.approval_id, until))):
        toast(f"Put aside for you until {say_time(lasts[0], here.zone)}.")
        moving.go_to(seen.then)


def take_up(approval_id: str) -> None:
    """Bring a question back now."""
    if deciding.is_still():
        return
    here = identity.require("viewer")
    if act(here, "snooze", lambda tx: snooze(tx, here.app.desk, here.actor, approval_id, here.now)):
        moving.go_to(approval_id)
