"""Where the workshop begins: a team for whoever has none, and a code for another screen of one's own team."""

from __future__ import annotations

import streamlit as st

from core.web import current_app
from core.workshop.classroom import Seat as NewSeat
from core.workshop.classroom import give_seat, next_number, open_team
from core.workshop.running import BENCH
from pages.parts import identity
from pages.parts.untrusted import draw, tag, toast
from pages.parts.workshop_seat import Seat, follow, seat_now

NAME, CODE = "open", "workshop.start.code"
WHAT = (
    "A team is a tenant of its own on a clock that stands at the fixture time: the Atlas job paused at review, three "
    "applicants at their question, memory that may and may not be read. Nothing of this tenant is touched."
)


def open_one(seat: Seat) -> None:
    """Offer a team to an owner who sits in none."""
    draw(tag("p", WHAT, cls="lab-said"))
    st.button("Open a team for me", key="workshop.start.open", icon=":material/groups:", type="primary", on_click=_open,
              disabled=not seat.here.may("owner"))  # fmt: skip
    follow(seat, NAME, _join)


def _open() -> None:
    here = identity.require("owner")
    app = current_app()

    def work() -> NewSeat:
        team = open_team(app, next_number(app))
        return give_seat(app, team.tenant_id)

    if not BENCH.start(here.tenant_id, NAME, work):
        toast("It is being opened already.")


def _join(made: NewSeat) -> None:
    link = tag("a", f"Go on as {made.name}", href=f"/team/{made.tenant}/{made.code}", target="_self", cls="lab-go")
    draw(tag("p", f"{made.name} is open. ", link))


def another_screen(seat: Seat) -> None:
    """Offer a code for another screen of this team."""
    with st.popover("Another screen", icon=":material/devices:"):
        st.button("Make a code", key="workshop.start.code.make", on_click=_code, disabled=not seat.here.may("owner"))
        made = st.session_state.get(CODE)
        if made is not None:
            draw(tag("p", tag("code", f"{seat.here.app.settings.base_url.rstrip('/')}/team")))
            draw(tag("p", f"{made.tenant} · ", tag("b", made.code, cls="lab-code"), ". It works once."))


def _code() -> None:
    seat = seat_now()
    if seat is not None and seat.team is not None and seat.here.may("owner"):
        st.session_state[CODE] = give_seat(seat.here.app, seat.here.tenant_id)
