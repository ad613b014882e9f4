"""Class mode: the teacher's board. Ticks of every team, pause, reset, a new code, one team's screen, results as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.clock import real_now
from core.errors import DaybookError
from core.people.teams import TEACHER
from core.web import current_app
from core.workshop.board import COLUMNS, BoardLine, Cell, read_board, write_results
from core.workshop.classroom import TEACHER_EMAIL, give_seat, pause_class, reset_team, teams_of
from core.workshop.running import BENCH
from pages.parts import identity
from pages.parts.identity import Here
from pages.parts.plan import heading
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, foreign, tag, toast
from pages.parts.workshop_seat import Seat

TICK_SECONDS = 5
CODE, ASKED, SHOWN = "workshop.board.made", "workshop.board.asked", "workshop.board.team"
ALL = "every team"


def board(here: Here) -> Seat | None:
    """Draw the board, and answer the seat of the team whose screen is asked for, to look at."""
    lines = read_board(here.app)
    _acts(lines)
    _lines()
    chosen = st.selectbox("Show one team's screen", [one.team.tenant_id for one in lines], index=None, key=SHOWN,
                          placeholder="Choose a team", width=320)  # fmt: skip
    return None if chosen is None else _look_at(here, str(chosen))


def _acts(lines: Sequence[BoardLine]) -> None:
    paused = [one for one in lines if one.team.paused_at is not None]
    draw(heading("The class", f"{len(lines)} teams{', paused' if paused else ''}"))
    with st.container(horizontal=True, gap="small"):
        st.button("Go on" if paused else "Pause all", key="workshop.board.pause", on_click=_pause, args=(not paused,),
                  icon=":material/play_arrow:" if paused else ":material/pause:", type="primary")  # fmt: skip
        st.download_button("Results as CSV", write_results(lines), "workshop-results.csv", "text/csv",
                           key="workshop.board.csv", icon=":material/download:", on_click="ignore")  # fmt: skip
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        choice = [*(one.team.tenant_id for one in lines), ALL]
        whose = st.selectbox("Team", choice, key="workshop.board.whose", width=200)
        press("New code", _code, whose, key="workshop.board.code.make", icon=":material/key:", disabled=whose == ALL)
        press("Reset …", _ask, whose, key="workshop.board.ask", icon=":material/restart_alt:")
    _made_code()
    _confirm()


def _made_code() -> None:
    made = st.session_state.get(CODE)
    if made is not None:
        draw(tag("p", "Code for ", tag("b", made[0]), ": ", tag("b", made[1], cls="lab-code"), ". It works once."))


def _confirm() -> None:
    asked = st.session_state.get(ASKED)
    if asked is None:
        return
    draw(tag("p", f"Resetting removes all that {asked} did and plants its rows anew.", cls="turned-down"))
    with st.container(horizontal=True, gap="small"):
        st.button("Reset it", key="workshop.board.reset", type="primary", on_click=_reset, args=(asked,))
        st.button("Keep it", key="workshop.board.keep", type="tertiary", on_click=_keep)


@st.fragment(run_every=TICK_SECONDS)
def _lines() -> None:
    here = identity.require("viewer")
    if here.tenant_id != TEACHER:
        return
    draw(table(read_board(here.app)))


def table(lines: Sequence[BoardLine]) -> Html:
    """Show a line a team, with a tick for each exercise that is done."""
    heads = [tag("th", one, scope="col") for one in ("Team", *COLUMNS, "Done")]
    rows = [
        tag("tr", tag("th", foreign(one.name), tag("small", "resetting") if BENCH.is_busy(one.team.tenant_id) else None,
                      scope="row"),
            *(_cell(cell) for cell in one.cells), tag("td", f"{one.done}/{len(COLUMNS)}"))
        for one in lines
    ]  # fmt: skip
    caption = tag("caption", "What each team has done", cls="unseen")
    return tag("div", tag("table", caption, tag("thead", tag("tr", *heads)), tag("tbody", *rows), cls="grid lab-board"),
               cls="lab-wide", tabindex="0", role="region", aria_label="The board")  # fmt: skip


def _cell(cell: Cell) -> Html:
    if cell.is_done:
        return tag("td", tag("span", "✓", tag("span", "done", cls="unseen"), cls="tick is-so"))
    return tag("td", f"{cell.done}/{cell.of}" if cell.done else "–", cls="is-none" if not cell.done else None)


def _look_at(here: Here, tenant_id: str) -> Seat | None:
    """Sit down beside a team, as the viewer that the teacher is there; nothing can be pressed."""
    app = here.app
    try:
        actor = app.actor(tenant_id, TEACHER_EMAIL, "page")
    except DaybookError as missing:
        toast(missing.sentence)
        return None
    team = next((one for one in teams_of(app) if one.tenant_id == tenant_id), None)
    there = Here(app, actor, here.frame)
    draw(heading(f"{actor.tenant.name}'s screen", "to look at"))
    return Seat(there, team, is_looking=True)


def _teacher() -> Here | None:
    here = identity.require("owner")
    return here if here.tenant_id == TEACHER else None


def _pause(to: bool) -> None:  # noqa: FBT001 - what a button says
    if _teacher() is not None:
        pause_class(current_app(), real_now() if to else None)


def _code(tenant_id: str) -> None:
    here = _teacher()
    if here is not None and tenant_id in {one.tenant_id for one in teams_of(here.app)}:
        st.session_state[CODE] = (tenant_id, give_seat(here.app, tenant_id).code)


def _ask(whose: str) -> None:
    st.session_state[ASKED] = whose


def _keep() -> None:
    st.session_state.pop(ASKED, None)


def _reset(whose: str) -> None:
    _keep()
    if _teacher() is None:
        return
    app = current_app()
    for team in teams_of(app):
        if whose in (ALL, team.tenant_id):
            BENCH.forget(team.tenant_id)
            BENCH.start(team.tenant_id, "reset", partial(reset_team, app, team.tenant_id))
    toast("It is put back; the board shows when it has.")
