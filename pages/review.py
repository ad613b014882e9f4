"""Review: one question at a time, evidence before number, consequences before buttons."""

from __future__ import annotations

import streamlit as st

from pages.parts import again, answering, card, deciding, drawer, ending, holding, letters, queue
from pages.parts.editing import own
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.looking import Sight, look
from pages.parts.strip import strip
from pages.parts.untrusted import draw, join


def page(here: Here) -> None:
    """Draw the question that the address names, or the end of the sitting that it names."""
    stay_live(here, mark=here.frame.mark, still=deciding.is_still())
    if ending.show(here):
        return
    sight = look(here)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("Review", anchor=False, width="content")
        draw(strip(here, sight.heads, len(sight.held), sight.pace, sight.changed))
    left, centre, right = st.columns([1, 1.9, 1.45], gap="medium")
    with left:
        queue.lanes(sight.heads, sight.walked, sight.pace)
        queue.lines(sight.walked, here)
        queue.mark_all(sight.walked, may_decide=here.actor.member.may_decide)
        holding.keep_held(here, sight.held, many=sight.walked.lane == "decided")
    with centre:
        _centre(here, sight)
    if sight.asked is not None and sight.seen is not None:
        with right:
            draw(letters.if_approved(sight.asked, here))
            if not sight.is_again:
                answering.fields(sight.seen)
            draw(letters.else_then(sight.asked, here))
    answering.bar(here, sight)
    drawer.lay(here, sight.asked, sight.seen)


def _centre(here: Here, sight: Sight) -> None:
    asked = sight.asked
    if asked is None:
        queue.empty(here, sight.walked)
        return
    draw(card.head(asked, here))
    if sight.is_again:
        draw(again.banner())
    elif sight.seen is None:
        draw(answering.decided(asked, here))
        answering.held_acts(asked, here)
    answering.conflict(asked, sight.seen, here)
    facts = asked.approval.facts
    draw(
        join(
            card.closing(asked), card.came_back(asked, here), card.evidence(asked, here), card.number(facts), own(asked)
        )
    )


page(require("viewer"))
