"""Today: what waits for you, what fires next, what happened lately, what is wrong; and one box to ask the record."""

from __future__ import annotations

import streamlit as st

from core.views.preflight import Blocked, list_blocked
from core.views.today import Place, Today, find_last_sitting, page_count, read_today
from pages.parts import front, identity
from pages.parts.ask_box import ask_box
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.memory_notices import noticed
from pages.parts.plan import heading
from pages.parts.times import when
from pages.parts.untrusted import draw, tag
from pages.parts.wording import plural

FIRES, LATELY, TRIED = "today.fires.page", "today.lately.page", "today.preflight"


def page(here: Here) -> None:
    """Draw the front page."""
    stay_live(here, mark=here.frame.mark)
    today = _read(here)
    draw(tag("header", tag("h1", "Today"), tag("p", when(here.now, here.zone), cls="id"), cls="run-head today"))
    draw(front.hero(today, here))
    ask_box(here)
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        _left(today, here)
    with right:
        _right(today, here)


def _read(here: Here) -> Today:
    fires, lately = (st.session_state.get(key, 1) for key in (FIRES, LATELY))
    with here.app.read() as conn:
        since = find_last_sitting(conn, here.tenant_id, here.actor.member.id, here.now)
        return read_today(conn, here.app.vault, here.tenant_id, here.now, Place(fires, lately, since))


def _left(today: Today, here: Here) -> None:
    draw(heading("Waits for you", "least time left first"))
    draw(front.waits(today, here))
    draw(heading("Fires next", plural(today.figures.fires, "timer in 48 hours", "timers in 48 hours")))
    draw(front.fires(today, here))
    _turn(FIRES, today.figures.fires)


def _right(today: Today, here: Here) -> None:
    draw(heading("What is wrong", front.wrong_figures(today)))
    draw(front.wrong(today, noticed(here), here))
    st.button(
        "Try every run against the loaded code", key="today.preflight.try", on_click=_try, type="tertiary",
        icon=":material/rule:",
    )  # fmt: skip
    tried: tuple[str, list[Blocked]] = st.session_state.get(TRIED, ("", []))
    if tried[0] == here.tenant_id:
        draw(front.blocked(tried[1]))
    draw(heading(front.lately_title(today, here), front.lately_figures(today)))
    draw(front.lately(today, here))
    _turn(LATELY, sum(today.figures.lately.values()))


def _turn(key: str, figure: int) -> None:
    if page_count(figure) > 1:
        st.pagination(page_count(figure), key=key)


def _try() -> None:
    """Open every state once, now; no page run does."""
    here = identity.require("viewer")
    with here.app.read() as conn:
        found = list_blocked(conn, here.app.vault, here.app.parts.workflows, here.tenant_id)
    st.session_state[TRIED] = (here.tenant_id, found)


page(require("viewer"))
