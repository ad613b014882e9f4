"""Runs: every thread of the tenant, the one that has waited longest first; what it is narrowed to is in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.people.people import Member
from core.views.runs import Page, Wanted, list_runs, read_choices
from pages.parts import wording
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.run_filters import find_box, place_of, turn_pages, wanted_of
from pages.parts.run_list import counts, offers, table
from pages.parts.untrusted import draw, tag


def page(here: Here) -> None:
    """Draw the list."""
    stay_live(here, mark=here.frame.mark)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("Runs", anchor=False, width="content")
        find = find_box()
    around = st.container()
    with here.app.read() as conn:
        choices = read_choices(conn, here.tenant_id)
    wanted = wanted_of(find, choices, here)
    with here.app.read() as conn:
        shown = list_runs(conn, here.app.vault, here.tenant_id, wanted, place_of(), here.now)
    with around:
        if shown.by_status:
            draw(counts(shown))
    if shown.is_empty:
        draw(tag("p", wording.NO_RUNS, tag("code", wording.HOW_TO_APPLY), cls="empty"))
    elif not shown.lines:
        _nothing(here, find)
    else:
        _list(here, shown, choices.people, wanted)


def _nothing(here: Here, find: str) -> None:
    draw(tag("p", wording.NO_MATCH, cls="empty"))
    if find:
        offers(here, find)


def _list(here: Here, shown: Page, people: Mapping[str, Member], wanted: Wanted) -> None:
    names = {member.id: member.name for member in people.values()}
    with st.container(key="runs-list"):
        draw(table(here, shown.lines, names, wanted))
    turn_pages(shown)


page(require("viewer"))
