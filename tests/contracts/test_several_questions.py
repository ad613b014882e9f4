"""A step may ask several things at once: each answer is used once, and the thread waits until none is open (C4)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.desk.decisions import Answer
from core.errors import AlreadyDecided
from core.review.read import Approval
from core.steps import Advance, Finish, Interrupt, Kit, Option, Outcome, Question
from tests.contracts.tiny import ONE, Slip, asked, begun, done, why_of, workflow
from tests.homes import Home

ABOUT = ("a", "b", "c")
HOLD = timedelta(seconds=900)


def question(about: str) -> Question:
    return Question("ask", about, f"What of {about}?", (Option("approve", "Yes"), Option("reject", "No")))


def three(kit: Kit, state: Slip) -> Outcome:
    """Ask of each of three until none is open."""
    if kit.answer is not None:
        state = Slip((*state.lines, f"{kit.answer.about} {kit.answer.verdict}"))
    said = {line.split()[0] for line in state.lines}
    still = [question(about) for about in ABOUT if about not in said]
    if still:
        return Interrupt(state, still[0], also=tuple(still[1:]))
    return Finish(state, "done", "completed", ", ".join(sorted(state.lines)))


def of(home: Home, about: str) -> Approval:
    return next(one for one in home.thread(ONE).approvals if one.about == about)


def answer(home: Home, about: str, verdict: str = "approve") -> Approval:
    one = of(home, about)
    return home.answer(one.id, Answer(verdict, one.version))  # type: ignore[arg-type]


def test_all_are_asked_at_once_and_the_thread_waits_for_a_person_until_none_is_open(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(three))
    home.run()
    assert asked(home) == [(ONE, about) for about in ABOUT]
    for about, verdict in (("b", "reject"), ("c", "approve")):
        answer(home, about, verdict)
        home.run()
        assert home.ending(ONE) == ("awaiting_review", None)
    assert asked(home) == [(ONE, "a")]
    answer(home, "a")
    home.run()
    assert (home.ending(ONE), home.summaries(ONE)["three"]) == (("completed", "done"), "a approve, b reject, c approve")
    assert home.verify() == []


@pytest.mark.case("I02")
def test_answers_given_before_a_worker_comes_are_each_used_once(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(three))
    home.run()
    for about in ABOUT:
        answer(home, about)
    home.run()
    assert home.summaries(ONE)["three"] == "a approve, b approve, c approve"
    assert [one.status for one in home.thread(ONE).approvals] == ["approved"] * 3


def test_what_is_asked_again_beside_an_answer_keeps_its_version(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(three))
    home.run()
    answer(home, "a")
    home.run()
    assert {one.about: one.version for one in home.thread(ONE).approvals} == {"a": 2, "b": 1, "c": 1}


@pytest.mark.case("I05")
def test_one_answered_question_is_not_answered_again_while_the_others_stand(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(three))
    home.run()
    answer(home, "a")
    home.run()
    with pytest.raises(AlreadyDecided, match="a of tiny/one was decided already"):
        answer(home, "a", "reject")
    assert asked(home) == [(ONE, "b"), (ONE, "c")]


def test_a_held_answer_leaves_the_thread_with_its_open_questions_and_is_taken_when_its_hold_ends(
    tmp_path: Path,
) -> None:
    home = begun(tmp_path, workflow(three)).with_hold(900)
    home.run()
    answer(home, "a")
    assert home.ending(ONE) == ("awaiting_review", None)
    later = home.at(FIXTURE_START + timedelta(seconds=60))
    answer(later, "b")
    at_the_end = later.at(FIXTURE_START + HOLD)
    at_the_end.run()
    consumed = {one.about: one.consumed_by is not None for one in at_the_end.thread(ONE).approvals}
    assert (consumed, at_the_end.ending(ONE)) == ({"a": True, "b": False, "c": False}, ("awaiting_review", None))


def test_a_thread_whose_answers_are_all_held_waits_for_the_first_to_be_released(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(three)).with_hold(900)
    home.run()
    for about in ABOUT:
        answer(home, about)
    home.run()
    thread = home.thread(ONE).thread
    assert (thread.status, thread.waits_for, thread.until_at) == ("waiting", "time", FIXTURE_START + HOLD)
    after = home.at(FIXTURE_START + HOLD)
    after.run()
    assert after.ending(ONE) == ("completed", "done")


def test_an_undone_answer_is_open_again_and_the_others_stay_as_they_are(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(three)).with_hold(900)
    home.run()
    answer(home, "b")
    answer(home, "a")
    home.undo_approval(of(home, "a").id)
    home.run()
    assert {one.about: one.status for one in home.thread(ONE).approvals} == {
        "a": "pending", "b": "approved", "c": "pending",
    }  # fmt: skip
    assert home.ending(ONE) == ("awaiting_review", None)


def test_what_a_step_goes_on_without_is_withdrawn(tmp_path: Path) -> None:
    def first_wins(kit: Kit, state: Slip) -> Outcome:
        if kit.answer is not None:
            return Advance(state, "One is enough.")
        return Interrupt(state, question("a"), also=(question("b"),))

    home = begun(tmp_path, workflow(first_wins, done))
    home.run()
    answer(home, "b")
    home.run()
    assert {one.about: one.status for one in home.thread(ONE).approvals} == {"a": "withdrawn", "b": "approved"}
    assert home.verify() == []


def test_a_question_a_step_asks_no_more_is_superseded_and_the_rest_stand(tmp_path: Path) -> None:
    def fewer(kit: Kit, state: Slip) -> Outcome:
        if kit.answer is not None:
            return Interrupt(Slip(("b",)), question("b"))
        return Interrupt(state, question("a"), also=(question("b"), question("c")))

    home = begun(tmp_path, workflow(fewer))
    home.run()
    answer(home, "a")
    home.run()
    assert {one.about: one.status for one in home.thread(ONE).approvals} == {
        "a": "approved", "b": "pending", "c": "superseded",
    }  # fmt: skip


def test_two_questions_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    def twice(_kit: Kit, state: Slip) -> Outcome:
        return Interrupt(state, question("a"), also=(question("a"),))

    home = begun(tmp_path, workflow(twice))
    home.run()
    assert (why_of(home)[0], asked(home)) == ("outcome_refused", [])
