"""Ask the record: one box, an exact answer from rows, and the rows it came from. No model is involved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from urllib.parse import quote

import streamlit as st

from core.steps import Json
from core.views.ask import Answer, ask
from pages.parts import identity
from pages.parts.identity import Here
from pages.parts.offered import near_names
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, join, tag

QUESTION = "today.ask.question"
ANSWERED = "today.ask.answered"
_MARKS = {True: "yes", False: "no", None: "open"}
_WORDS = {True: "Yes", False: "No", None: "No single answer"}


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer as it was given: to whom, to what, when, and the mark of the tenant's rows then."""

    person: tuple[str, str]
    question: str
    answer: Answer
    at: datetime
    mark: int


@st.fragment
def ask_box(here: Here) -> None:
    """Draw the box; what is typed in it stays while the page around it redraws itself."""
    with st.form("today.ask", border=False):
        left, right = st.columns([6, 1], vertical_alignment="bottom")
        left.text_input(
            "Ask the record", key=QUESTION, max_chars=300, icon=":material/search:",
            placeholder="Did we invite Priya Shah?",
        )  # fmt: skip
        right.form_submit_button("Ask", on_click=_ask, width="stretch")
    draw(tag("p", "Answered from rows, exactly or not at all. No model is involved.", cls="beside"))
    given = cast("Answered | None", st.session_state.get(ANSWERED))
    if given is not None and given.person == _person(here):
        draw(_answer(given, here))
        if given.answer.near is not None:
            near_names(given.answer.near, "Only a name as it is written answers.", "today.ask.near", _ask_after)


def _ask() -> None:
    """Answer for whoever is here now: the page around the box may have been drawn long ago."""
    here = identity.require("viewer")
    question = str(st.session_state[QUESTION]).strip()
    if not question:
        st.session_state.pop(ANSWERED, None)
        return
    _answer_now(here, question)


def _ask_after(name: str) -> None:
    """Ask the same question after somebody whose name was offered."""
    here = identity.require("viewer")
    given = cast("Answered | None", st.session_state.get(ANSWERED))
    if given is not None and given.person == _person(here):
        st.session_state[QUESTION] = given.answer.again(name)
        _answer_now(here, st.session_state[QUESTION])


def _answer_now(here: Here, question: str) -> None:
    with here.app.read() as conn:
        answer = ask(conn, here.app.vault, here.tenant_id, question, here.zone, here.now)
    st.session_state[ANSWERED] = Answered(_person(here), question, answer, here.now, here.frame.mark)


def _person(here: Here) -> tuple[str, str]:
    return here.tenant_id, here.actor.member.id


def _answer(given: Answered, here: Here) -> Html:
    said = given.answer
    moved = "; rows have moved since, ask again" if here.frame.mark != given.mark else ""
    rows = [_row(row) for row in said.rows[:10]]
    more = tag("p", f"and {len(said.rows) - 10} more", cls="more") if len(said.rows) > 10 else None
    head = tag("span", _WORDS[said.answer], cls="verdict") if said.rows else None
    return tag(
        "section",
        tag("p", foreign(given.question), cls="asked"),
        tag("p", head, foreign(said.text), cls="said"),
        tag("ul", *rows, aria_label="Rows") if rows else None,
        more,
        tag("p", "Read from the rows ", when(given.at, here.zone), moved, ".", cls="beside"),
        cls=f"told is-{_MARKS[said.answer]}",
        aria_label="Answer",
    )


def _row(row: Mapping[str, Json]) -> Html:
    thread_id = str(row["thread"])
    lead = tag("a", foreign(str(row["name"] or thread_id)), href=f"/run?id={quote(thread_id)}", cls="lead")
    letters = [tag("code", foreign(str(one["key"]))) for one in row["letters"].values()]
    return tag(
        "li",
        tag("span", lead, tag("span", thread_id, cls="id"), cls="who"),
        tag("span", foreign(str(row["sentence"])), cls="sentence"),
        tag("span", join(*letters), cls="trace") if letters else None,
    )
