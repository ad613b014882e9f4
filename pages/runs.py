"""Runs: every thread of the tenant, the one that has waited longest first."""

from __future__ import annotations

import streamlit as st

from core.views.runs import PAGE_SIZE, RunCounts, count_runs, list_runs
from core.views.threads import Filters, Line
from pages.parts import wording
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.run_list import shares, table
from pages.parts.untrusted import draw, tag

ALL = "All"
STATUS_OF = {word: status for status, word in wording.STATUS.items()}


def page(here: Here) -> None:
    """Draw the list."""
    stay_live(here, mark=here.frame.mark)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("Runs", anchor=False, width="content")
        find = _find()
    counts = _count(here, find)
    if counts.is_empty:
        draw(tag("p", wording.NO_RUNS, tag("code", wording.HOW_TO_APPLY), cls="empty"))
        return
    if counts.by_status:
        draw(shares(counts.by_status))
    status = _status()
    total = sum(counts.by_status.values()) if status is None else counts.by_status.get(status, 0)
    if total == 0:
        draw(tag("p", wording.NO_MATCH, cls="empty"))
        return
    page_count = -(-total // PAGE_SIZE)
    place = st.container(key="runs-list")
    number = min(st.pagination(page_count, key="p", bind="query-params"), page_count) if page_count > 1 else 1
    with place:
        draw(table(here, _list(here, status, find, number)))


def _find() -> str:
    typed = st.text_input(
        "Find", key="find", bind="query-params", placeholder="A name, or the start of an id", icon=":material/search:",
        label_visibility="collapsed", width=280, max_chars=200, on_change=_first_page,
    )  # fmt: skip
    return typed.strip()


def _status() -> str | None:
    word = st.segmented_control(
        "Status", [ALL, *STATUS_OF], default=ALL, required=True, key="status", bind="query-params",
        label_visibility="collapsed", on_change=_first_page,
    )  # fmt: skip
    return STATUS_OF.get(word or ALL)


def _first_page() -> None:
    """Another filter has other pages: the number of the old one would show nothing."""
    st.session_state["p"] = 1


def _count(here: Here, find: str) -> RunCounts:
    with here.app.read() as conn:
        return count_runs(conn, here.app.vault, here.tenant_id, find)


def _list(here: Here, status: str | None, find: str, number: int) -> list[Line]:
    with here.app.read() as conn:
        return list_runs(conn, here.app.vault, here.tenant_id, Filters(status=status, find=find), number)


page(require("viewer"))
