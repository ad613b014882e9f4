"""What happens next: a dry run of the run's own steps, each marked with what it would do."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk.rehearsal import Coming, rehearse
from core.threads.rows import get_thread
from core.views.run import Run
from pages.parts import identity
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, tag

MARKS = {
    "skip": "Passed over", "pure": "Pure: nothing leaves", "held_back": "Held back by the ledger",
    "will_act": "Will act", "stops": "Nobody can say",
}  # fmt: skip
TOLD = "run.next.told"


def page(run: Run, here: Here) -> None:
    """Draw the dry run that was asked for, and how old it is by the run's version."""
    if run.thread.has_ended:
        draw(tag("p", "This run has ended: nothing more happens in it.", cls="empty"))
        return
    draw(tag("p", "A dry run of the steps themselves, on today's rows. It writes nothing and sends nothing.", cls="id"))
    st.button("Rehearse", key="run.next.tell", on_click=_tell, args=(run.thread.id,), icon=":material/play_arrow:")
    told = st.session_state.get(TOLD, {})
    if told.get("thread") != run.thread.id:
        return
    if told["version"] != run.thread.version:
        draw(tag("p", "The run has moved on since this was told. Rehearse again.", cls="banner clock"))
    draw(coming(told["coming"], here))


def _tell(thread_id: str) -> None:
    here = identity.require("viewer")
    with here.app.read() as conn:
        found = rehearse(conn, here.app.desk, here.actor, thread_id)
    with here.app.read() as conn:
        version = get_thread(conn, here.tenant_id, thread_id).version
    st.session_state[TOLD] = {"thread": thread_id, "version": version, "coming": found}


def coming(found: Sequence[Coming], here: Here) -> Html:
    """Show each coming step: its mark, its time, what it says, and on what that rests."""
    return tag("ol", *(_line(one, here) for one in found), cls="coming", aria_label="What happens next")


def _line(one: Coming, here: Here) -> Html:
    return tag(
        "li",
        tag("div", tag("b", one.title), tag("span", MARKS[one.mark], cls=f"mark m-{one.mark}"), cls="line"),
        tag("p", when(one.at, here.zone), f" · {one.if_}" if one.if_ else None, cls="id"),
        tag("p", foreign(one.says), *((" Until ", when(one.until, here.zone), ".") if one.until else ())),
        tag("p", *(tag("code", foreign(key)) for key in one.keys)) if one.keys else None,
    )
