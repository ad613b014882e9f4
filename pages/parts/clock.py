"""A fixture tenant's clock, moved by its owner from any page: on to what is due next, an hour, a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import streamlit as st

from core.db.store import Tx
from core.desk.clock import advance_clock, jump_clock
from core.desk.desk import Actor
from core.views.sentence import say_time
from pages.parts.acting import act
from pages.parts.identity import Here, require

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def clock_controls(here: Here) -> None:
    """Draw the three ways on, where this person may move this clock."""
    if not here.frame.tenant.is_fixture or here.app.settings.frozen_now is not None or not here.may("owner"):
        return
    with st.container(horizontal=True, gap="small", key="clock"):
        st.button("Jump to the next due time", key="clock.next", icon=":material/skip_next:", on_click=_jump)
        st.button("+1 h", key="clock.hour", help="An hour on", on_click=_advance, args=(HOUR,))
        st.button("+1 day", key="clock.day", help="A day on", on_click=_advance, args=(DAY,))


def _jump() -> None:
    _move("clock next", lambda tx, actor, held: jump_clock(tx, actor, held_at=held))


def _advance(span: timedelta) -> None:
    _move("clock advance", lambda tx, actor, held: advance_clock(tx, actor, span, held_at=held))


def _move(name: str, move: Callable[[Tx, Actor, datetime | None], datetime]) -> None:
    here = require("viewer")
    moved: list[datetime] = []
    if act(here, name, lambda tx: moved.append(move(tx, here.actor, here.app.settings.frozen_now))):
        now = say_time(moved[0], here.zone)
        stood = f"It is still {now}: something is due now, or nothing is due at any time."
        st.toast(stood if moved[0] <= here.now else f"It is {now} now.", icon=":material/schedule:")
