"""What the list of runs is narrowed to, chosen and kept in the address; and its pages turned."""

from __future__ import annotations

from datetime import timedelta

import streamlit as st

from core.errors import BadInput
from core.views.runs import COUNTED, MOST, PAGE_SIZE, Choices, Page, Wanted
from core.views.runs_order import SORTS, Place, read_place
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.untrusted import draw, tag

ALL = "All"
STATUS_OF = {word: status for status, word in wording.STATUS.items()}
AGES = {
    "Any age": None,
    "1 hour or longer": timedelta(hours=1),
    "1 day or longer": timedelta(days=1),
    "2 days or longer": timedelta(days=2),
    "1 week or longer": timedelta(days=7),
}
ANY_WORKFLOW, ANY_ROLE, ANYBODY = "Any workflow", "Any role", "Opened by anybody"
AT, SORT, DESCENDING = "at", "sort", "desc"


def find_box() -> str:
    """Draw the box that finds runs, and answer what is typed in it."""
    typed = st.text_input(
        "Find", key="find", bind="query-params", placeholder="A name, an id or its start, a key",
        icon=":material/search:", label_visibility="collapsed", width=320, max_chars=200, on_change=first_page,
    )  # fmt: skip
    return typed.strip()


def wanted_of(find: str, choices: Choices, here: Here) -> Wanted:
    """Draw the filters, and answer what they and the address ask for."""
    status = st.segmented_control(
        "Status", [ALL, *STATUS_OF], default=ALL, required=True, key="status", bind="query-params",
        label_visibility="collapsed", on_change=first_page,
    )  # fmt: skip
    with st.container(horizontal=True, key="runs-filters"):
        workflow = _choice("workflow", [ANY_WORKFLOW, *here.app.desk.workflows])
        role = _choice("role", [ANY_ROLE, *choices.roles])
        owner = _choice("owner", [ANYBODY, *choices.people])
        age = _choice("age", list(AGES))
    sort = st.query_params.get(SORT, "waited")
    member = choices.people.get(owner)
    return Wanted(
        find=find,
        status=STATUS_OF.get(status or ALL),
        workflow=None if workflow == ANY_WORKFLOW else workflow,
        role_id=None if role == ANY_ROLE else role,
        owner_id=None if member is None else member.id,
        stood_for=AGES.get(age),
        sort=sort if sort in SORTS else "waited",
        is_descending=st.query_params.get(DESCENDING) == "1",
    )


def _choice(name: str, options: list[str]) -> str:
    return st.selectbox(
        name.capitalize(), options, key=name, bind="query-params", label_visibility="collapsed", width=190,
        on_change=first_page,
    )  # fmt: skip


def first_page() -> None:
    """Another filter has other pages: the place in the old one lies nowhere."""
    st.query_params.pop(AT, None)


def place_of() -> Place | None:
    """Answer the place that the address names; one that is none is the first page."""
    try:
        return read_place(st.query_params.get(AT, ""))
    except BadInput:
        return None


def turn_pages(shown: Page) -> None:
    """Draw the ways to the page before and the page after, where there are such."""
    if shown.before is None and shown.after is None:
        return
    size = wording.plural(len(shown.lines), "run", "runs")
    of = f"more than {COUNTED if shown.total else MOST:,}"
    if shown.total is not None and shown.total <= COUNTED:
        of = f"{shown.total:,}"
    with st.container(horizontal=True, vertical_alignment="center", key="runs-pages"):
        _turn("First", None, "first", disabled=shown.before is None)
        _turn("Previous", shown.before, "before", disabled=shown.before is None)
        _turn("Next", shown.after, "after", disabled=shown.after is None)
        draw(tag("p", f"{size} here, at most {PAGE_SIZE} a page, of {of}", cls="none"))


def _turn(label: str, place: Place | None, name: str, *, disabled: bool) -> None:
    st.button(label, key=f"runs.{name}", on_click=_go, args=(place,), disabled=disabled)


def _go(place: Place | None) -> None:
    if place is None:
        first_page()
    else:
        st.query_params[AT] = str(place)
