"""Events that nothing followed from: a person says that they have seen them."""

from __future__ import annotations

import streamlit as st

from core.desk.outside import see_events
from core.views.run import Run
from pages.parts import identity
from pages.parts.acting import act
from pages.parts.identity import Here


def ask_seen(run: Run, here: Here) -> None:
    """Draw the button where there is such an event and the person may act; it speaks of what is drawn, not of more."""
    if not run.has_left_over or not here.actor.member.may_decide:
        return
    last = run.events[-1].n
    st.button(
        "I have seen these: take them off Today", key=f"run.seen.{run.thread.id}.{last}", on_click=_see,
        args=(run.thread.id, last),
    )  # fmt: skip


def _see(thread_id: str, last: int) -> None:
    here = identity.require("viewer")
    act(here, "seen", lambda tx: see_events(tx, here.actor, thread_id, last=last))
