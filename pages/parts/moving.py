"""Where the review page stands: the question and the lane that its address names."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.clock import pulse

SHOWN, REASON, REFUSED, MOVED = (f"review.{what}" for what in ("shown", "reason", "refused", "moved"))
CATCH_UP_SECONDS = 10.0  # after that the old address is a person's way back


@dataclass(frozen=True, slots=True)
class Move:
    """Where a press led, at which pulse, and whether the page has been drawn there."""

    before: str | None
    after: str | None
    at: float
    is_drawn: bool = False


def go_to(approval_id: str | None) -> None:
    """Show a question; None: the first there is."""
    for what in (SHOWN, REASON, REFUSED):
        st.session_state.pop(what, None)
    st.session_state[MOVED] = Move(st.query_params.get("item"), approval_id, pulse())
    _name_item(approval_id)


def catch_up() -> None:
    """Stay where the last press led: a press sent before the browser knew of it brings the old address along."""
    move: Move | None = st.session_state.get(MOVED)
    if move is None:
        return
    is_old = st.query_params.get("item") == move.before and move.before is not None
    if is_old and pulse() - move.at < CATCH_UP_SECONDS:
        _name_item(move.after)
    elif move.is_drawn:
        del st.session_state[MOVED]  # the browser has said the new address itself
    else:
        st.session_state[MOVED] = replace(move, is_drawn=True)


def _name_item(approval_id: str | None) -> None:
    if approval_id is None:
        st.query_params.pop("item", None)
    else:
        st.query_params["item"] = approval_id


def choose_lane(lane: str) -> None:
    """Show the first question of a lane."""
    go_to(None)
    st.query_params.pop("sitting", None)
    st.query_params["lane"] = lane
