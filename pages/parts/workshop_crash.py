"""Workshop 4: the crash lab. Predict; a process is really killed and another goes on; the letters are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.steps import Json
from core.workshop.crash import SEAMS, WAYS, CrashRun, run_crash
from pages.parts.plan import heading
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, tag
from pages.parts.workshop_seat import Seat, follow, run_beside, verdict

NAME = "crash"
SAYS = {"0": "0 letters", "1": "1 letter", "2": "2 letters", "asks": "It stops and asks a person"}
SHORT = {"none": "No ledger", "keys": "Ledger, honours keys", "no-keys": "Ledger, does not"}
WHERE = {
    "before dispatch": "right before the letter is handed over",
    "after dispatch": "the letter is out, nobody has heard of it",
    "before save": "the mailbox has answered, nothing is saved",
}


def page(seat: Seat) -> None:
    """Draw what is chosen, the prediction, the press, and what came of it."""
    done = seat.ticks(f"{NAME}.")
    right = sum(bool(one.get("right")) for one in done.values())
    draw(heading("Crash lab", f"{len(done)} of {len(WAYS) * len(SEAMS)} tried, {right} predicted"))
    way = _choose("Which program", SHORT, "workshop.crash.way")
    seam = _choose("Where it is killed", {one: one for one in SEAMS}, "workshop.crash.seam")
    draw(tag("p", f"{WAYS[way]}. ", WHERE[seam].capitalize(), ".", cls="id"))  # type: ignore[index]
    guess = st.segmented_control("After another process went on: how many letters are in the mailbox?", list(SAYS),
                                 format_func=lambda one: SAYS[one], key="workshop.crash.guess")  # fmt: skip
    press("Kill it", _kill, way, seam, guess, key="workshop.crash.kill", icon=":material/bolt:", type="primary",
          disabled=guess is None or not seat.may_act)  # fmt: skip
    follow(seat, NAME, _show)
    if done:
        draw(_table(done))


def _choose(label: str, words: Mapping[str, str], key: str) -> str:
    first = next(iter(words))
    return str(st.segmented_control(label, list(words), format_func=lambda one: words[one], default=first,
                                    required=True, key=key))  # fmt: skip


def _kill(way: Any, seam: str, guess: str) -> None:
    def work(_seat: Seat) -> tuple[str, dict[str, Json]]:
        ran = run_crash(way, seam)
        return f"{NAME}.{way}.{seam}", _detail(ran, guess)

    run_beside(NAME, work)


def _detail(ran: CrashRun, guess: str) -> dict[str, Json]:
    return {
        "way": ran.way, "seam": ran.seam, "guess": guess, "answer": ran.answer, "right": guess == ran.answer,
        "killed_by": ran.killed_by, "killed_letters": ran.killed_letters, "letters": ran.letters,
        "left": ran.left, "status": ran.status, "took_ms": round(ran.took_s * 1000),
    }  # fmt: skip


def _show(detail: dict[str, Json]) -> None:
    draw(outcome(detail))


def outcome(detail: dict[str, Json]) -> Html:
    """Show what one run came to, the prediction beside it."""
    ledger = "there is none" if detail["status"] is None else f"{detail['left']} when it died, then {detail['status']}"
    asks = detail["answer"] == "asks"
    doubled = detail["letters"] > 1
    says = "It stops: nobody knows, so a person is asked." if asks else f"{SAYS[str(detail['letters'])]}."
    return tag(
        "section",
        tag("p", tag("span", str(detail["letters"]), cls=f"lab-count {'is-wrong' if doubled else ''}"),
            tag("span", "letters" if detail["letters"] != 1 else "letter")),
        tag("p", verdict(bool(detail["right"]), "As predicted", "Not as predicted"),
            f"You said: {SAYS[str(detail['guess'])]}. {says}"),
        tag("p", f"Killed by signal {detail['killed_by']} with {detail['killed_letters']} in the mailbox; another "
            f"process went on. Ledger: {ledger}. {detail['took_ms'] / 1000:.1f} s.", cls="id"),
        cls="lab-card", aria_label="What came of it",
    )  # fmt: skip


def _table(done: dict[str, dict[str, Json]]) -> Html:
    heads = [tag("th", "Program", scope="col"), *(tag("th", one, scope="col") for one in SEAMS)]
    rows = [
        tag("tr", tag("th", WAYS[way], scope="row"), *(_cell(done.get(f"{NAME}.{way}.{seam}")) for seam in SEAMS))
        for way in WAYS
    ]
    caption = tag("caption", "Letters, by program and by where it was killed", cls="unseen")
    return tag("table", caption, tag("thead", tag("tr", *heads)), tag("tbody", *rows), cls="grid lab-table")


def _cell(detail: dict[str, Json] | None) -> Html:
    if detail is None:
        return tag("td", tag("span", "not tried", cls="none"))
    word = "asks a person" if detail["answer"] == "asks" else SAYS[str(detail["letters"])]
    return tag("td", verdict(bool(detail["right"]), "predicted", "not predicted"), word,
               cls="is-wrong" if detail["letters"] > 1 else None)  # fmt: skip
