"""Workshop 5: contaminate. A press each; what is in the packet now, what was left out and why, and policy unmoved."""

from __future__ import annotations

import streamlit as st

from core.workshop.contaminate import TROUBLES, contaminate, count_documents
from core.workshop.team_rows import Rows
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag
from pages.parts.workshop_atlas import look, look_now, looked, packet
from pages.parts.workshop_seat import NO_TEAM, Seat, attempt, keep, mark, seat_now

TICK = "contaminate"
SAID = "workshop.contaminate.said"


def page(seat: Seat) -> None:
    """Draw the troubles and the packet as it would be sent now."""
    rows = seat.rows()
    if rows is None:
        draw(tag("p", NO_TEAM, cls="empty"))
        return
    tried = seat.ticks(f"{TICK}.")
    draw(heading("Contaminate", f"{len(tried)} of {len(TROUBLES)} tried"))
    left, right = st.columns([1, 1.25], gap="large")
    with left:
        for what, (word, says) in TROUBLES.items():
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                st.button(word, key=f"workshop.contaminate.{what}", on_click=_do, args=(what,),
                          disabled=not seat.may_act)  # fmt: skip
            detail = tried.get(f"{TICK}.{what}")
            draw(tag("p", mark(detail is not None, "Tried"), says,
                     tag("b", foreign(f" {detail['says']}")) if detail else None, cls="lab-trouble"))  # fmt: skip
    with right:
        draw(_unmoved(rows))
        st.button("Build the context and look", key="workshop.contaminate.look", icon=":material/search:",
                  on_click=look_now, disabled=not seat.may_act)  # fmt: skip
        seen = looked(seat)
        if seen is not None:
            draw(packet(seen))


def _unmoved(rows: Rows) -> Html:
    policy, said = rows.value("policies"), rows.value("approvals")
    pinned = rows.run.thread.configs.get("policy")
    row = next((f"{one.status}, version {one.version}" for one in rows.run.approvals), "none")
    opened, made_of = count_documents(rows)
    checks = (
        (policy is not None and policy[1] == pinned, f"Policy: version {pinned} is pinned, and that version is sent"),
        (
            said is not None and f"{said[0]}, version {said[1]}" == row,
            f"Approval of d_08: {row}, in the packet as well",
        ),
        (opened == made_of, f"{made_of} items, {opened} documents: none closes its own and opens another"),
        (rows.team.foreign_memory_id not in (*rows.used, *rows.filtered), "Another tenant's note: in no part of it"),
    )
    lines = [tag("li", mark(is_so), tag("span", word)) for is_so, word in checks]
    return tag("ul", *lines, cls="lab-checks", aria_label="What did not move")


def _do(what: str) -> None:
    seat = seat_now()
    rows = None if seat is None else seat.rows()
    if seat is None or seat.team is None or rows is None:
        return
    team, app, actor = seat.team, seat.here.app, seat.here.actor
    said = attempt(lambda: contaminate(app, actor, team, rows, what).says)
    if said is not None:
        keep(seat, f"{TICK}.{what}", says=said)
        look(seat)
