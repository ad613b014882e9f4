"""What a state keeps comes back equal, or is refused by name when it is saved (contract C1)."""

from __future__ import annotations

import enum
import socket
from dataclasses import field, make_dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from core.steps import Advance, Finish, Interrupt, Kit, Option, Outcome, Question, Rule, kept
from tests.contracts.tiny import ONE, Slip, begun, why_of, workflow
from tests.homes import Home


class Post:
    """A class with an enum inside."""

    class Size(enum.Enum):
        SMALL = "s"
        LARGE = "l"


def holding(kind: Any) -> type:
    """Make a state whose one field has this type."""

    value = field(default=None, metadata=kept(Rule.CLOSE_6_MONTHS))
    return make_dataclass("Holds", [("value", kind | None, value)], frozen=True, slots=True)


class Client:
    """An open client, as somebody may keep by mistake."""


KEPT = [
    (Post.Size, Post.Size.LARGE),
    (tuple[str, ...], ("a", "b")),
    (set[int], {1, 2, 3}),
    (frozenset[str], frozenset({"a"})),
    (Decimal, Decimal("10.10")),
    (datetime, datetime(2026, 8, 20, 9, 0, 0, 123456, UTC)),
    (date, date(2026, 8, 20)),
    (timedelta, timedelta(hours=1, microseconds=5)),
    (bytes, b"\x00\xff"),
    (dict[str, int], {"a": 1}),
    (int, 2**80),
    (float, 0.1),
    (str, "ś 🎨 \x00 end"),
]
REFUSED = [
    (Fraction, Fraction(1, 3)),
    (complex, 1 + 2j),
    (range, range(3)),
    (Path, Path("/work")),
    (Client, Client()),
    (Any, Client()),
    (Any, ("a", "b")),
    (Any, Post.Size.LARGE),
    (int, "seven"),
    (str, 7),
    (float, float("nan")),
    (datetime, "tomorrow"),
    (str, "half \ud83d"),
]


def keeping_state(folder: Path, kind: Any, value: object) -> tuple[Home, list[object]]:
    """Drive a thread that keeps a value in one step, asks, and finds it again in another process."""
    schema, found = holding(kind), []

    def keep(_kit: Kit, _state: Any) -> Outcome:
        return Advance(schema(value), "Kept.")

    def look(kit: Kit, state: Any) -> Outcome:
        found.append(state.value)
        if kit.answer is None:
            return Interrupt(state, Question("look", "look", "Go on?", (Option("approve", "Yes"),)))
        return Finish(state, "done", "completed", "Done.")

    home = begun(folder, workflow(keep, look, state=schema), state=schema())
    home.run()
    return home, found


@pytest.mark.case("S01")
@pytest.mark.seed("screen.kind.durable")
@pytest.mark.parametrize(("kind", "value"), KEPT, ids=lambda one: repr(one)[:24])
@pytest.mark.case("S01")
def test_what_a_state_keeps_comes_back_equal(tmp_path: Path, kind: Any, value: object) -> None:
    home, found = keeping_state(tmp_path, kind, value)
    home.decide(ONE)
    home.run()
    assert (home.ending(ONE), found[-1], type(found[-1])) == (("completed", "done"), value, type(value))


@pytest.mark.case("S03")
@pytest.mark.parametrize(("kind", "value"), REFUSED, ids=lambda one: repr(one)[:24])
@pytest.mark.case("S03")
def test_what_would_not_come_back_equal_is_refused_when_it_is_saved_and_named(
    tmp_path: Path, kind: Any, value: object
) -> None:
    home, found = keeping_state(tmp_path, kind, value)
    code, said = why_of(home)
    assert (home.ending(ONE), code, found) == (("parked", None), "outcome_refused", [])
    assert "State field value" in said


@pytest.mark.case("S11")
def test_an_open_client_in_state_is_reported_and_the_thread_goes_on_once_it_is_left_out(tmp_path: Path) -> None:
    keep_client = [True]
    schema = holding(Any)

    def connect(_kit: Kit, _state: Any) -> Outcome:
        with socket.socket() as client:
            return Finish(schema(client if keep_client else "left out"), "done", "completed", "Done.")

    home = begun(tmp_path, workflow(connect, state=schema), state=schema())
    home.run()
    assert why_of(home)[1] == "State field value holds a socket, which cannot be saved."
    keep_client.clear()
    home.retry(ONE)
    home.run()
    assert home.ending(ONE) == ("completed", "done")


@pytest.mark.case("I08")
def test_only_saved_state_is_there_when_a_step_runs_again(tmp_path: Path) -> None:
    def collect(kit: Kit, state: Slip) -> Outcome:
        lines = [*state.lines, f"line {len(state.lines)}"]
        if kit.answer is None:
            return Interrupt(Slip(tuple(lines)), Question("go", "go", "Go on?", (Option("approve", "Yes"),)))
        return Finish(state, "done", "completed", ", ".join(state.lines))

    home = begun(tmp_path, workflow(collect))
    home.run()
    home.decide(ONE)
    home.run()
    assert home.summaries(ONE) == {"collect": "line 0"}
