"""Workshop 3: the Atlas job in five steps. Live ticks from the team's rows; the replay beside the rebuilt packet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from core.desk.decisions import Answer, decide_approval
from core.desk.desk import Doors
from core.desk.packets import look_at_packet
from core.errors import NotFound, Refused
from core.steps import Item
from core.views.queue import list_queue
from core.workshop.atlas import JOB
from core.workshop.contaminate import contaminate
from core.workshop.naive import Replayed, resume_by_replay
from core.workshop.team_rows import Rows
from core.workshop.ticks import Check, Step, read_steps
from pages.parts import wording
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag, toast
from pages.parts.workshop_seat import NO_TEAM, Seat, attempt, mark, seat_now

REPLAYED, LOOKED = "workshop.atlas.replayed", "workshop.atlas.looked"


def page(seat: Seat) -> None:
    """Draw the five steps with what may be pressed, and the two resumes side by side."""
    rows = seat.rows()
    if rows is None:
        draw(tag("p", NO_TEAM, cls="empty"))
        return
    steps = read_steps(rows)
    draw(heading("Atlas, step by step", f"{sum(one.is_done for one in steps)} of {len(steps)} steps"))
    draw(tag("p", "Each tick is read from this team's rows now. Open the run: ", tag("a", JOB, href=f"/run?id={JOB}"),
             ".", cls="id"))  # fmt: skip
    for step in steps:
        draw(_step(step))
        _acts(step, seat, rows)
    _beside(seat)


def _step(step: Step) -> Html:
    return tag(
        "section",
        tag("h3", mark(step.is_done, "Done"), f"{step.number}. {step.title}"),
        tag("p", step.checkpoint, cls="id"),
        tag("ul", *(_check(one) for one in step.checks), cls="lab-checks"),
        cls="lab-step",
    )


def _check(check: Check) -> Html:
    return tag("li", mark(check.is_so), tag("span", check.what), tag("code", check.row))


def _acts(step: Step, seat: Seat, rows: Rows) -> None:
    off = not seat.may_act
    if step.number == 3:
        st.button("Build the context and look", key="workshop.atlas.build", icon=":material/search:", on_click=look_now,
                  disabled=off)  # fmt: skip
        _show_looked(seat)
    elif step.number == 4:
        _reject(seat, rows)
    elif step.number == 5:
        with st.container(horizontal=True, gap="small"):
            st.button("Forget the valid record", key="workshop.atlas.delete", icon=":material/delete:",
                      on_click=_trouble, args=("delete",), disabled=off)  # fmt: skip
            st.button("Plant a poisoned note", key="workshop.atlas.poison", icon=":material/science:",
                      on_click=_trouble, args=("poison",), disabled=off)  # fmt: skip
            st.button("Build it once more", key="workshop.atlas.again", icon=":material/search:", on_click=look_now,
                      disabled=off)  # fmt: skip


def _reject(seat: Seat, rows: Rows) -> None:
    asked = next((one for one in rows.run.approvals if one.status == "pending"), None)
    if asked is None:
        if not rows.run.thread.has_ended:
            draw(tag("p", "Decided. A worker resumes the job from its rows.", cls="none"))
        return
    draw(
        tag("p", f"d_08 stands at version {asked.version}. A second answer to that version will be refused.", cls="id")
    )
    st.button(
        "Reject d_08", key=f"workshop.atlas.reject.{asked.version}",
        icon=":material/block:", type="primary", on_click=_decide, args=(asked.id, asked.version),
        disabled=not seat.may_act,
    )  # fmt: skip


def _decide(approval_id: str, version: int) -> None:
    seat = seat_now()
    if seat is None:
        return
    app, actor = seat.here.app, seat.here.actor
    try:
        with app.read() as conn:
            known = any(one.id == approval_id for one in list_queue(conn, app.vault, actor.tenant_id))
        if not known:
            raise NotFound("That question does not stand any more; look again.")
        answer = Answer("reject", version)
        app.act(actor, "decide", lambda tx: decide_approval(tx, app.desk, actor, approval_id, answer))
    except Refused as refused:
        toast(wording.refusal(refused))


def look(seat: Seat) -> None:
    """Build the packet for somebody to look at, which is audited: a press, and no part of a page run."""
    app, actor = seat.here.app, seat.here.actor
    doors = Doors(app.read, app.write)
    try:
        app.attempt(actor, "context", lambda: look_at_packet(doors, app.desk, actor, JOB, None))
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    st.session_state[LOOKED] = (seat.here.tenant_id, seat.rows())


def look_now() -> None:
    """Look at the packet as whoever presses."""
    seat = seat_now()
    if seat is not None:
        look(seat)


def looked(seat: Seat) -> Rows | None:
    """Answer the rows as they were when somebody looked, or None."""
    tenant_id, rows = st.session_state.get(LOOKED, ("", None))
    return rows if tenant_id == seat.here.tenant_id else None


def _show_looked(seat: Seat) -> None:
    rows = looked(seat)
    if rows is not None:
        draw(packet(rows))


def packet(rows: Rows) -> Html:
    """Show the packet field by field, and what was considered and left out."""
    items = () if rows.packet is None else rows.packet.admitted.items
    heads = [tag("th", one, scope="col") for one in ("Slot", "Row", "What is sent")]
    lines = [
        tag("tr", tag("td", one.slot), tag("td", tag("code", foreign(f"{one.source}/{one.id}@{one.version}"))),
            tag("td", foreign(one.text)))
        for one in items
    ]  # fmt: skip
    left = [tag("li", tag("code", foreign(one)), f" {reason}") for one, reason in rows.filtered.items()]
    return tag(
        "div",
        tag("table", tag("caption", "The packet", cls="unseen"), tag("thead", tag("tr", *heads)), tag("tbody", *lines),
            cls="grid lab-packet"),
        tag("p", tag("b", "Considered and left out")),
        tag("ul", *left, cls="rows") if left else tag("p", "Nothing.", cls="none"),
    )  # fmt: skip


def _trouble(what: str) -> None:
    seat = seat_now()
    rows = None if seat is None else seat.rows()
    if seat is None or seat.team is None or rows is None:
        return
    team, app, actor = seat.team, seat.here.app, seat.here.actor
    said = attempt(lambda: contaminate(app, actor, team, rows, what).says)
    if said is not None:
        toast(said)


def _beside(seat: Seat) -> None:
    draw(heading("The prototype beside it", "resume by replay against resume from rows"))
    st.button("Resume the prototype by replay", key="workshop.atlas.replay", icon=":material/replay:",
              on_click=_replay, disabled=not seat.may_act)  # fmt: skip
    kept = st.session_state.get(REPLAYED)
    seen = looked(seat)
    if kept is not None and kept[0] == seat.here.tenant_id and seen is not None:
        draw(_compared(cast("Replayed", kept[1]), seen))


def _replay() -> None:
    seat = seat_now()
    rows = None if seat is None else seat.rows()
    if seat is not None and rows is not None:
        replayed = resume_by_replay(seat.here.app, seat.here.actor, rows.run)
        st.session_state[REPLAYED] = (seat.here.tenant_id, replayed)
        look(seat)


def _compared(replayed: Replayed, rows: Rows) -> Html:
    said = rows.value("approvals")
    built = "no packet" if said is None else f"{said[0]}, version {said[1]}"
    items = () if rows.packet is None else rows.packet.admitted.items
    memory = _texts(items, "memories") or "none"
    lines = (
        ("Reads of export 44", f"{replayed.reads}: {replayed.read_bytes} bytes came a second time",
         f"{rows.sendings}: the ledger holds the key", replayed.reads > 1),
        ("Approval of d_08", f"{replayed.believes}, from message {replayed.believes_from}", f"{built}, from its row",
         said is not None and replayed.believes != said[0]),
        ("The goal", replayed.messages[0].text, _texts(items, "threads"), False),
        ("The limit", "nowhere: nobody said it in the chat", _texts(items, "policies"), True),
        ("The note", "nowhere", _texts(items, "notes") or "none", True),
        ("Memory", "whatever was said in the chat", memory, False),
        ("Earlier steps", " / ".join(one.text for one in replayed.messages[2:]), _texts(items, "plan_steps") or "none",
         False),
    )  # fmt: skip
    heads = [tag("th", one, scope="col") for one in ("Field", "Replayed from the transcript", "Built from rows")]
    body = [
        tag("tr", tag("th", name, scope="row"), tag("td", foreign(left), cls="is-wrong" if wrong else None),
            tag("td", foreign(right)))
        for name, left, right, wrong in lines
    ]  # fmt: skip
    caption = tag("caption", "Two packets, field by field", cls="unseen")
    return tag("table", caption, tag("thead", tag("tr", *heads)), tag("tbody", *body), cls="grid lab-packet")


def _texts(items: Sequence[Item], source: str) -> str:
    return " / ".join(f"{one.text} ({one.source}@{one.version})" for one in items if one.source == source)
