"""Workshop: a room breaks a long job, sees why, and repairs it. All of it is read from rows and from processes."""

from __future__ import annotations

import streamlit as st

from pages.parts import (
    workshop_atlas,
    workshop_clinic,
    workshop_contaminate,
    workshop_crash,
    workshop_deletion,
    workshop_facts,
    workshop_window,
)
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.untrusted import draw, foreign, tag
from pages.parts.workshop_board import board
from pages.parts.workshop_seat import PAUSED, Seat, sit
from pages.parts.workshop_start import another_screen, open_one

PART = "part"
PARTS = {
    "1 Facts": workshop_facts.page,
    "2 Window": workshop_window.page,
    "3 Atlas": workshop_atlas.page,
    "4 Crash": workshop_crash.page,
    "5 Contaminate": workshop_contaminate.page,
    "6 Deletion": workshop_deletion.page,
    "7 Clinic": workshop_clinic.page,
}


def page(here: Here) -> None:
    """Draw the part that the address names; the teacher sees the board first."""
    stay_live(here, mark=here.frame.mark)
    seat = sit(here)
    team = seat.team
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        draw(tag("header", tag("h1", "Workshop"), tag("p", foreign(here.frame.tenant.name), cls="id"), cls="run-head"))
        if team is not None and not team.is_teacher:
            another_screen(seat)
    if team is None:
        open_one(seat)
    elif team.is_teacher:
        beside = board(here)
        if beside is not None:
            _part(beside)
        return
    elif team.paused_at is not None:
        draw(tag("p", tag("b", "Paused"), " ", PAUSED, cls="banner clock", role="status"))
    _part(seat)


def _part(seat: Seat) -> None:
    chosen = st.segmented_control(
        "Part", list(PARTS), default=next(iter(PARTS)), required=True, key=PART, bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    with st.container(key="lab"):
        PARTS[str(chosen)](seat)


page(require("viewer"))
