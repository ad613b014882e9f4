"""Workshop 1: place every fact. One at a time; the data map answers where it belongs, and why."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.workshop.facts import FACTS, PLACES, TICK, Place, Placed, count_right, get_fact, place_all
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag
from pages.parts.workshop_seat import Seat, keep, seat_now, verdict

LAST = "workshop.facts.last"
HELP = {
    "context": "One call reads it; nothing keeps it.",
    "state": "The application's own record of this job.",
    "rendered": "State that a call is shown, from its row.",
    "memory": "Kept for a later job, with owner, source and end.",
    "discard": "Kept nowhere, and sent to nobody.",
}


def page(seat: Seat) -> None:
    """Draw the fact that is next, what was said of the last one, and all that were placed."""
    said: dict[str, str] = seat.tick(TICK).get("said", {})
    placed = place_all(seat.here.app.parts.workflows.values())
    draw(heading("Place every fact", f"{len(said)} of {len(FACTS)} placed, {count_right(placed, said)} right"))
    last = st.session_state.get(LAST)
    if last in said:
        draw(_answer(placed[last], said[last]))
    waiting = [one for one in FACTS if one.id not in said]
    if waiting:
        _ask(waiting[0].id, seat)
    elif count_right(placed, said) < len(FACTS):
        st.button("Place the wrong ones again", key="workshop.facts.again", icon=":material/replay:", on_click=_again,
                  disabled=not seat.may_act)  # fmt: skip
    if said:
        draw(_table(placed, said))


def _ask(fact_id: str, seat: Seat) -> None:
    fact = get_fact(fact_id)
    number = [one.id for one in FACTS].index(fact_id) + 1
    draw(
        tag("div", tag("p", f"Fact {number} of {len(FACTS)} · {fact.case}", cls="id"),
            tag("p", fact.text, cls="lab-fact"), cls="lab-card")
    )  # fmt: skip
    with st.container(horizontal=True, gap="small", key="lab-places"):
        for place, word in PLACES.items():
            st.button(
                word, key=f"workshop.facts.{fact_id}.{place}", help=HELP[place], on_click=_put, args=(fact_id, place),
                disabled=not seat.may_act,
            )  # fmt: skip


def _put(fact_id: str, place: Place) -> None:
    seat = seat_now()
    if seat is None:
        return
    get_fact(fact_id)
    said = {**seat.tick(TICK).get("said", {}), fact_id: place}
    _keep(seat, said)
    st.session_state[LAST] = fact_id


def _again() -> None:
    seat = seat_now()
    if seat is None:
        return
    placed = place_all(seat.here.app.parts.workflows.values())
    said = {one: place for one, place in seat.tick(TICK).get("said", {}).items() if placed[one].place == place}
    _keep(seat, said)
    st.session_state.pop(LAST, None)


def _keep(seat: Seat, said: Mapping[str, str]) -> None:
    placed = place_all(seat.here.app.parts.workflows.values())
    keep(seat, TICK, said=dict(said), right=count_right(placed, said))


def _answer(placed: Placed, said: str) -> Html:
    is_right = said == placed.place
    head = "Right" if is_right else f"Not {PLACES[said].lower() if said in PLACES else said}"
    return tag(
        "section",
        tag("p", verdict(is_right, "Right", "Not right"), tag("b", head), f". {placed.fact.text}: ",
            tag("b", PLACES[placed.place].lower()), "."),
        tag("p", placed.fact.why),
        tag("p", *_map_says(placed), cls="id"),
        tag("p", "Memory's own door says: ", foreign(placed.refusal), cls="id") if placed.refusal else None,
        cls=f"lab-answer {'is-so' if is_right else 'is-not'}",
        aria_label="Where it belongs",
    )  # fmt: skip


def _map_says(placed: Placed) -> list[str | Html | None]:
    entry = placed.entry
    if entry is None:
        return ["The data map has no field for it: nothing keeps it."]
    row = tag("code", f"{entry.store} · {entry.field}")
    sent = f"; packets name {placed.fact.sent_as} as its source" if placed.fact.sent_as else ""
    return ["The data map: ", row, f" {entry.kind}, kept: {entry.rule}, erased by: {entry.erased_by}{sent}."]


def _table(placed: Mapping[str, Placed], said: Mapping[str, str]) -> Html:
    heads = [tag("th", one, scope="col") for one in ("Right?", "Fact", "You said", "It belongs to", "Because")]
    rows = [
        tag("tr", tag("td", verdict(said[one.id] == placed[one.id].place, "Right", "Not right")), tag("td", one.text),
            tag("td", PLACES.get(said[one.id], said[one.id])),  # type: ignore[call-overload]
            tag("td", PLACES[placed[one.id].place]), tag("td", one.why, cls="says"))
        for one in FACTS if one.id in said
    ]  # fmt: skip
    caption = tag("caption", "What was placed so far", cls="unseen")
    return tag("table", caption, tag("thead", tag("tr", *heads)), tag("tbody", *rows), cls="grid lab-table")
