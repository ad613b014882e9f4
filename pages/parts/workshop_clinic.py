"""Workshop 7: the failure clinic. Each failure caused, inspected, explained, repaired, prevented by a named test."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFound, Refused
from core.steps import Json
from core.workshop.clinic import FAILURES, Failure, get_failure, run_test
from core.workshop.failing import Seen, Side, compacted_side, crash_side, foreign_side, stale_side
from pages.parts import wording
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag, toast
from pages.parts.workshop_seat import NO_TEAM, Seat, follow, keep, run_beside, seat_now, verdict

CHOSEN = "workshop.clinic.failure"


def page(seat: Seat) -> None:
    """Draw the choice of a failure, and that failure from its cause to its test."""
    done = seat.ticks("clinic.")
    repaired = [one for one in FAILURES if f"clinic.{one}.cause" in done and f"clinic.{one}.repair" in done]
    draw(heading("Failure clinic", f"{len(repaired)} of {len(FAILURES)} broken and repaired"))
    chosen = str(st.segmented_control("Failure", list(FAILURES), default="F1", required=True, key=CHOSEN))
    failure = get_failure(chosen)
    draw(tag("p", failure.title, cls="lab-fact"))
    if failure.needs_team and seat.team is None:
        draw(tag("p", NO_TEAM, cls="empty"))
        return
    left, right = st.columns(2, gap="large")
    with left:
        _side(failure, "cause", seat, done.get(f"clinic.{failure.id}.cause"))
        draw(_inspect(failure, seat))
    with right:
        _side(failure, "repair", seat, done.get(f"clinic.{failure.id}.repair"))
        _prevent(failure, seat)


def _side(failure: Failure, side: Side, seat: Seat, detail: dict[str, Json] | None) -> None:
    word, icon = ("Cause it", ":material/bolt:") if side == "cause" else ("Repair it", ":material/build:")
    draw(tag("h3", "Caused" if side == "cause" else "Repaired"))
    st.button(word, key=f"workshop.clinic.{failure.id}.{side}", icon=icon, on_click=_do, args=(failure.id, side),
              type="primary" if side == "repair" else "secondary", disabled=not seat.may_act)  # fmt: skip
    follow(seat, _name(failure.id, side), lambda _: None)
    if detail is not None:
        draw(_seen(detail))
    says = failure.cause if side == "cause" else failure.repair
    draw(tag("p", tag("b", "Likely cause: " if side == "cause" else "Repair: "), says, cls="lab-said"))


def _seen(detail: dict[str, Json]) -> Html:
    facts = [tag("div", tag("dt", name), tag("dd", foreign(value))) for name, value in detail["facts"]]
    return tag(
        "section",
        tag("p", verdict(not detail["failed"], "As it should be", "It failed"), tag("b", foreign(detail["says"]))),
        tag("dl", *facts, cls="lab-facts"),
        cls=f"lab-answer {'is-not' if detail['failed'] else 'is-so'}",
    )


def _inspect(failure: Failure, seat: Seat) -> Html:
    links = [tag("li", tag("a", word, href=to, target="_self")) for word, to in failure.inspect]
    places = tag("ul", *links, cls="rows") if seat.team else tag("p", "Open a team to follow these.", cls="none")
    return tag("div", tag("h3", "Inspect"), tag("p", failure.inspect_says, cls="lab-said"), places)


def _prevent(failure: Failure, seat: Seat) -> None:
    draw(tag("div", tag("h3", "Prevented"), tag("p", failure.prevent, cls="lab-said"),
             tag("p", tag("code", failure.test))))  # fmt: skip
    st.button("Run that test", key=f"workshop.clinic.{failure.id}.test", icon=":material/rule:", on_click=_test,
              args=(failure.id,), disabled=not seat.may_act)  # fmt: skip
    follow(seat, f"clinic.{failure.id}.test", _tested)


def _tested(detail: dict[str, Json]) -> None:
    draw(tag("p", verdict(bool(detail["passed"]), "Passed", "Did not pass"), foreign(str(detail["said"]))))


def _test(failure_id: str) -> None:
    failure = get_failure(failure_id)
    run_beside(f"clinic.{failure.id}.test", lambda _: (f"clinic.{failure.id}.test", dict(run_test(failure.test))))


def _do(failure_id: str, side: Side) -> None:
    failure = get_failure(failure_id)
    if failure.id == "F1":
        run_beside(_name(failure.id, side), lambda _: (_name(failure.id, side), _detail(crash_side(side))))
        return
    seat = seat_now()
    if seat is None:
        return
    try:
        keep(seat, _name(failure.id, side), **_detail(_look(failure, side, seat)))
    except Refused as refused:
        toast(wording.refusal(refused))


def _look(failure: Failure, side: Side, seat: Seat) -> Seen:
    rows = seat.rows()
    if rows is None or seat.team is None:
        raise NotFound(NO_TEAM)
    match failure.id:
        case "F2":
            return stale_side(side, seat.here.app, seat.here.actor, rows)
        case "F3":
            return foreign_side(side, seat.here.app, seat.here.actor, seat.team)
        case _:
            return compacted_side(side, rows)


def _detail(seen: Seen) -> dict[str, Json]:
    return {"failed": seen.has_failed, "says": seen.says, "facts": [list(one) for one in seen.facts]}


def _name(failure_id: str, side: Side) -> str:
    return f"clinic.{failure_id}.{side}"
