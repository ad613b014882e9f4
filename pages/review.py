"""Review: one question at a time, evidence before number, consequences before buttons."""

from __future__ import annotations

import streamlit as st

from core.errors import DaybookError
from core.views.card import Card, read_card
from core.views.sitting import Head, Held
from pages.parts import answering, card, deciding, drawer, letters, queue
from pages.parts.deciding import Seen
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.queue import Walk
from pages.parts.untrusted import draw, join


def page(here: Here) -> None:
    """Draw the question that the address names."""
    stay_live(here, mark=here.frame.mark, still=deciding.is_still())
    heads, held, walked, asked = _read(here)
    seen = deciding.see(asked.approval, walked.then) if asked and asked.approval.status == "pending" else None
    deciding.note_shown(seen)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("Review", anchor=False, width="content")
        draw(queue.strip(here, heads, held))
    left, centre, right = st.columns([1, 1.9, 1.45], gap="medium")
    with left:
        queue.lanes(heads, walked, len(held))
        queue.lines(walked, here)
        queue.keep_held(here, held, walked)
    with centre:
        _centre(here, walked, asked, seen)
    if asked is not None and seen is not None:
        with right:
            draw(letters.if_approved(asked, here))
            answering.fields(seen)
            draw(letters.else_then(asked, here))
    answering.bar(here, walked, asked, seen)
    drawer.lay(here, asked)


def _read(here: Here) -> tuple[list[Head], list[Held], Walk, Card | None]:
    deciding.catch_up()
    with here.app.read() as conn:
        heads = here.app.queue.list_heads(conn, here.tenant_id, here.now)
        held = queue.list_held_once(conn, here)
        walked = queue.walk(heads, st.query_params.get("lane", "all"), st.query_params.get("item"))
        item = walked.current.approval_id if walked.current else st.query_params.get("item")
        try:
            asked = read_card(conn, here.app.vault, here.actor.member, item, here.now) if item else None
        except DaybookError:
            asked = None  # missing, another tenant's, erased: all answer alike
    if walked.current is not None:
        st.query_params["item"] = walked.current.approval_id
    return heads, held, walked, asked


def _centre(here: Here, walked: Walk, asked: Card | None, seen: Seen | None) -> None:
    if asked is None:
        queue.empty(here, walked)
        return
    draw(card.head(asked, here))
    if seen is None:
        draw(answering.decided(asked, here))
        answering.held_acts(asked, here)
    answering.conflict(asked, seen, here)
    facts = asked.approval.facts
    draw(join(card.closing(asked), card.came_back(asked, here), card.evidence(asked, here), card.number(facts)))


page(require("viewer"))
