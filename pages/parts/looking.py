"""All that a run of the review page reads, in one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from sqlalchemy import Connection

from core.errors import DaybookError
from core.views.card import Card, read_card
from core.views.sitting import Head, Held, list_again, list_decided
from core.views.sittings import Pace, read_pace
from pages.parts import again, deciding, moving
from pages.parts.deciding import Seen
from pages.parts.holding import list_held_once
from pages.parts.identity import Here
from pages.parts.queue import Walk, walk, walk_decided
from pages.parts.strip import count_changed, day_began

PACE = "review.pace"


@dataclass(frozen=True, slots=True)
class Sight:
    """What stands on the page; `seen` is None where nothing on it can be answered."""

    heads: Sequence[Head]
    held: Sequence[Held]
    walked: Walk
    asked: Card | None
    seen: Seen | None
    pace: Pace
    changed: int

    @property
    def is_again(self) -> bool:
        """Say whether what is shown was answered already and is asked for a second time."""
        return self.walked.lane == again.LANE and self.seen is not None


def look(here: Here) -> Sight:
    """Read what the address names, and note that it is shown."""
    moving.catch_up()
    with here.app.read() as conn:
        heads = here.app.queue.list_heads(conn, here.actor.member, here.now)
        if not deciding.is_still():  # under a drawer nothing of it can be pressed
            st.session_state[PACE] = read_pace(conn, here.tenant_id, here.actor.member.id, here.now, day_began(here))
        walked, held = _walk(conn, here, heads)
        item = walked.current.approval_id if walked.current else st.query_params.get("item")
        try:
            asked = read_card(conn, here.app.vault, here.actor.member, item, here.now) if item else None
        except DaybookError:
            asked = None  # missing, another tenant's, erased: all answer alike
    current = walked.current
    if current is not None:
        st.query_params["item"] = current.approval_id
    is_again = walked.lane == again.LANE and asked is not None and current is not None
    is_open = asked is not None and (asked.approval.status == "pending" or is_again)
    seen = deciding.see(asked.approval, walked.then) if asked is not None and is_open else None
    deciding.note_shown(seen)
    return Sight(
        heads,
        held,
        walked,
        asked,
        seen,
        st.session_state[PACE],
        count_changed(heads, current if isinstance(current, Head) else None),
    )


def _walk(conn: Connection, here: Here, heads: Sequence[Head]) -> tuple[Walk, list[Held]]:
    lane, item = st.query_params.get("lane", "all"), st.query_params.get("item")
    if lane == again.LANE:
        waiting = list_again(conn, here.app.vault, here.actor.member, here.now)
        return walk_decided(waiting, heads, item, again.LANE), []
    if lane != "decided":
        return walk(heads, lane, item), list_held_once(conn, here)
    decided = list_decided(conn, here.app.vault, here.tenant_id, day_began(here))
    return walk_decided(decided, heads, item), [one for one in decided if one.released_at is None]
