"""What is held: each answer that can still be undone, counting down, with its ways back and forward."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import streamlit as st
from sqlalchemy import Connection

from core.clock import say_span
from core.views.sitting import Held, list_held
from pages.parts import wording
from pages.parts.deciding import is_still
from pages.parts.identity import Here, run_again
from pages.parts.live import TICK_SECONDS
from pages.parts.taking_back import release_one, undo_one
from pages.parts.times import when
from pages.parts.untrusted import draw, foreign, tag

FEW_HELD, MOST_HELD = 3, 40
HELD = "review.held"


def list_held_once(conn: Connection, here: Here) -> list[Held]:
    """Answer what can still be undone; under a drawer what was drawn there before, for nothing of it can be pressed."""
    if not is_still():
        st.session_state[HELD] = list_held(conn, here.app.vault, here.tenant_id)
    held: list[Held] = st.session_state.get(HELD, [])
    return held


def keep_held(here: Here, held: Sequence[Held], *, many: bool) -> None:
    """Draw what can still be undone, counting down; run the page again when it is no longer what it was."""
    most = MOST_HELD if many else FEW_HELD
    _held(here, tuple(held), most, [list(held)])


@st.fragment(run_every=TICK_SECONDS)
def _held(here: Here, drawn: Sequence[Held], most: int, unread: list[list[Held]]) -> None:
    """Draw from what the page has just read; only a later tick asks the database, with one cheap statement."""
    if unread:
        held = unread.pop()
    else:
        with here.app.read() as conn:
            held = list_held(conn, here.app.vault, here.tenant_id)
        if tuple(held) != drawn and not is_still():
            run_again()
    if not held:
        return
    now = here.frame.tenant.now(here.app.settings.frozen_now)
    draw(tag("h2", "Decided, held", tag("small", str(len(held)))))
    for one in held[:most]:
        _held_line(here, one, now)
    if len(held) > most:
        draw(tag("p", f"{len(held) - most} more, decided before", cls="elsewhere"))


def _held_line(here: Here, one: Held, now: datetime) -> None:
    did = wording.DID.get((one.kind, one.verdict), wording.VERDICT[one.verdict])
    left = one.release_at - now
    leaves = "due now: a worker carries it out" if left <= timedelta(0) else f"leaves in {say_span(left)}"
    with st.container(key=f"review.held.{one.approval_id}", gap=None):
        draw(
            tag(
                "div",
                tag("b", foreign(one.name or one.thread_id)),
                tag("span", did),
                tag("small", tag("span", leaves, cls="held"), " · by ", foreign(one.by or "somebody"), " ",
                    when(one.decided_at, here.zone)),
                cls="item",
            )
        )  # fmt: skip
        if here.actor.member.may_decide:
            with st.container(horizontal=True, gap="small"):
                name = f"{one.approval_id}.{one.release_at.timestamp()}"
                st.button("Undo", key=f"review.undo.{name}", type="tertiary", disabled=is_still(), on_click=undo_one,
                          args=(one.approval_id,))  # fmt: skip
                st.button("Release now", key=f"review.release.{name}", type="tertiary", on_click=release_one,
                          args=(one.approval_id,), disabled=is_still() or left <= timedelta(0))  # fmt: skip
