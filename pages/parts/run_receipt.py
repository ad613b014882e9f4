"""A receipt in a drawer over its run: the address names it, and it is read a slice at a time."""

from __future__ import annotations

import streamlit as st

from core.errors import DaybookError
from core.views.receipt import SLICE_BYTES, Opened, open_receipt
from pages.parts.drawer import over
from pages.parts.identity import Here
from pages.parts.untrusted import Html, draw, foreign, tag

ADDRESS = "receipt"
_AT = "run.receipt.at"


def link(thread_id: str, ref: str) -> Html:
    """Draw a reference that opens its receipt."""
    return tag("a", tag("code", ref), href=f"/run?id={thread_id}&{ADDRESS}={ref}", target="_self")


def lay(here: Here, thread_id: str) -> None:
    """Draw the drawer, if the address names a receipt."""
    if st.query_params.get(ADDRESS):
        _drawer(here, thread_id, st.query_params[ADDRESS])


def _close() -> None:
    st.query_params.pop(ADDRESS, None)
    st.session_state.pop(_AT, None)


@st.dialog("Receipt", position="right", width="medium", on_dismiss=_close)
def _drawer(here: Here, thread_id: str, ref: str) -> None:
    start = st.session_state.get(_AT, 0)
    try:
        with here.app.read() as conn:
            opened = open_receipt(
                conn, here.app.vault, here.app.desk.blobs, here.tenant_id, thread_id, ref, start=start
            )
    except DaybookError as gone:
        draw(over(tag("p", foreign(gone.sentence), cls="empty")))
        return
    draw(over(_sheet(opened)))
    if start == 0 and opened.is_last:
        return
    with st.container(horizontal=True):
        st.button("Before", key="run.receipt.before", on_click=_go, args=(start - SLICE_BYTES,), disabled=start == 0)
        st.button("After", key="run.receipt.after", on_click=_go, args=(opened.end,), disabled=opened.is_last)


def _go(start: int) -> None:
    st.session_state[_AT] = max(0, start)


def _sheet(opened: Opened) -> Html:
    where = f"bytes {opened.start:,} to {opened.end:,} of {opened.size:,}" if opened.size else "nothing beside the line"
    return tag(
        "div",
        tag("p", tag("code", opened.ref), f" · {where}", cls="id"),
        tag("p", foreign(opened.line), cls="summary") if opened.line else None,
        tag("pre", foreign(opened.text), cls="frame", tabindex="0", aria_label="Output") if opened.size else None,
    )
