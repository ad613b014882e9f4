"""Questions and events of a step: each answer is used once, nothing that comes meanwhile is lost (contracts C2, C4)."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.desk.decisions import Answer
from core.errors import AlreadyDecided, BadInput
from core.steps import Advance, Effect, Finish, Interrupt, Kit, Option, Outcome, Question, Wait
from tests.contracts.tiny import ONE, SOON, Slip, asked, begun, done, tool, why_of, workflow
from tests.fakes import FakeAdapter
from tests.homes import Home


def until_above_zero(kit: Kit, state: Slip) -> Outcome:
    """Ask for a number until it is above zero."""
    if kit.answer is not None:
        number = kit.answer.answer["number"]
        state = Slip((*state.lines, str(number)))
        if number > 0:
            return Finish(state, "done", "completed", ", ".join(state.lines))
    return Interrupt(
        state, Question("number", "number", "How many?", (Option("approve", "So many", answer={"number": "integer"}),))
    )


@pytest.mark.case("I01")
def test_a_question_in_a_loop_uses_each_answer_once(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(until_above_zero))
    home.run()
    with pytest.raises(BadInput, match="'abc' was given"):
        home.decide(ONE, number="abc")
    assert asked(home) == [(ONE, "number")]
    for number in (-2, 7):
        home.decide(ONE, number=number)
        home.run()
    assert (home.ending(ONE), home.summaries(ONE)) == (("completed", "done"), {"until_above_zero": "-2, 7"})
    answers = [one.remark["answer"]["number"] for one in home.thread(ONE).approvals]
    assert (sorted(answers), asked(home)) == ([-2, 7], [])


@pytest.mark.case("I05")
def test_an_answer_used_is_not_used_again_by_the_same_question(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(until_above_zero))
    home.run()
    home.decide(ONE, number=-2)
    home.run()
    home.run()
    assert (home.ending(ONE), asked(home)) == (("awaiting_review", None), [(ONE, "number")])
    first = min(home.thread(ONE).approvals, key=lambda one: one.version == 1)
    assert (first.status, first.remark["answer"]) == ("approved", {"number": -2})


def test_a_question_whose_answer_was_carried_out_is_asked_anew_when_its_step_asks_again(tmp_path: Path) -> None:
    def ring(kit: Kit, state: Slip) -> Outcome:
        answer = kit.answer
        if answer is not None and answer.verdict == "reject":
            return Finish(state, "done", "completed", f"Rang {len(state.lines)} times.")
        if answer is not None:
            state = Slip((*state.lines, kit.once(answer.effects[0]).key))
        ring_again = tool(f"ring {len(state.lines) + 1}")
        options = (Option("approve", "Ring", (ring_again,)), Option("reject", "Enough"))
        return Interrupt(state, Question("ring", "ring", "Ring the bell?", options))

    adapter = FakeAdapter(approved_only=True)
    home = begun(tmp_path, workflow(ring), adapter)
    home.run()
    for verdict in ("approve", "approve", "reject"):
        home.decide(ONE, verdict)
        home.run()
    assert (adapter.happened, home.summaries(ONE)) == (["ring 1", "ring 2"], {"ring": "Rang 2 times."})
    assert sorted(one.status for one in home.thread(ONE).approvals) == ["approved", "approved", "rejected"]
    assert home.verify() == []


def test_an_answer_that_its_step_did_not_carry_out_is_asked_for_again_and_not_used_up(tmp_path: Path) -> None:
    closed = [True]

    def ring(kit: Kit, state: Slip) -> Outcome:
        if kit.answer is not None and not closed:
            return Finish(state, "done", "completed", str(kit.once(kit.answer.effects[0]).result_ref))
        return Interrupt(state, Question("ring", "ring", "Ring?", (Option("approve", "Ring", (tool("ring"),)),)))

    adapter = FakeAdapter(approved_only=True)
    home = begun(tmp_path, workflow(ring), adapter)
    home.run()
    home.decide(ONE)
    home.run()
    assert (asked(home), adapter.tries, home.question(ONE).came_back["verdict"]) == ([(ONE, "ring")], [], "approve")
    closed.clear()
    home.decide(ONE)
    home.run()
    assert (adapter.happened, home.ending(ONE)) == (["ring"], ("completed", "done"))


def two_questions(kit: Kit, state: Slip) -> Outcome:
    """Charge once, then ask two things."""
    receipt = kit.once(tool("charge"))
    if kit.answer is not None:
        state = Slip((*state.lines, f"{kit.answer.about} {kit.answer.verdict}"))
    if len(state.lines) == 2:
        return Finish(state, "done", "completed", f"{receipt.result_ref}: {', '.join(state.lines)}")
    about = ("first", "second")[len(state.lines)]
    return Interrupt(state, Question("ask", about, f"The {about}?", (Option("approve", "Yes"), Option("reject", "No"))))


@pytest.mark.case("I06")
def test_a_charge_before_two_questions_of_one_step_happens_once(tmp_path: Path) -> None:
    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(two_questions), adapter)
    home.run()
    home.decide(ONE)
    home.run()
    home = home.at(FIXTURE_START + SOON)
    home.decide(ONE, "reject")
    home.run()
    assert (adapter.tries, home.ending(ONE)) == (["charge"], ("completed", "done"))
    assert home.summaries(ONE)["two_questions"] == "fake:tiny/one/charge: first approve, second reject"


def test_a_question_that_its_step_leaves_behind_is_asked_of_nobody(tmp_path: Path) -> None:
    def ask(kit: Kit, state: Slip) -> Outcome:
        if kit.event("ping") is not None:
            return Advance(state, "Not needed.")
        return Interrupt(state, Question("go", "go", "Go on?", (Option("approve", "Yes"),)))

    def wait(_kit: Kit, state: Slip) -> Outcome:
        return Wait(state, ("pong",), FIXTURE_START + SOON, FIXTURE_START + SOON, "")

    home = begun(tmp_path, workflow(ask, wait, events=("ping", "pong")))
    home.run()
    home.tell(ONE, "ping")
    home.run()
    assert (home.ending(ONE), asked(home), home.question(ONE).status) == (("waiting", None), [], "withdrawn")


def expiring(kit: Kit, state: Slip) -> Outcome:
    """Ask until a time, and go on without an answer then."""
    until = FIXTURE_START + timedelta(hours=1)
    if kit.answer is not None:
        return Finish(state, kit.answer.verdict, "completed", "Answered.")
    if kit.clock.now() >= until:
        return Finish(state, "unanswered", "completed", "Nobody answered.")
    return Interrupt(state, Question("go", "go", "Go on?", (Option("approve", "Yes"),), expires_at=until))


def test_a_question_that_nobody_answered_in_time_is_expired_and_no_no(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(expiring)).at(FIXTURE_START)
    home.run()
    home = home.at(FIXTURE_START + timedelta(hours=1))
    with pytest.raises(AlreadyDecided, match="closed: it expired 2026-08-20T10:00:00Z"):
        home.decide(ONE)
    home.run()
    assert (home.ending(ONE), home.question(ONE).status) == (("completed", "unanswered"), "expired")


def test_a_question_may_be_answered_until_it_expires(tmp_path: Path) -> None:
    home = begun(tmp_path, workflow(expiring))
    home.run()
    home = home.at(FIXTURE_START + timedelta(hours=1) - SOON)
    home.decide(ONE)
    home.run()
    assert (home.ending(ONE), home.question(ONE).status) == (("completed", "approve"), "approved")


def test_a_question_that_is_asked_after_it_expired_is_refused_and_the_worker_goes_on(tmp_path: Path) -> None:
    def ask(_kit: Kit, state: Slip) -> Outcome:
        return Interrupt(state, Question("go", "go", "Go?", (Option("approve", "Yes"),), expires_at=FIXTURE_START))

    home = begun(tmp_path, workflow(ask))
    home.run()
    assert why_of(home)[0] == "outcome_refused"


# Events


def test_an_event_that_comes_while_its_step_runs_is_not_lost(tmp_path: Path) -> None:
    home: list[Home] = []
    runs: list[bool] = []

    def listen(kit: Kit, state: Slip) -> Outcome:
        runs.append(kit.has_event("ping"))
        if kit.event("ping") is not None:
            return Finish(state, "heard", "completed", "Heard.")
        home[0].tell(ONE, "ping")
        later = FIXTURE_START + timedelta(days=1)
        return Wait(state, ("ping",), later, later, "")

    home.append(begun(tmp_path, workflow(listen, events=("ping",))))
    home[0].run()
    assert (home[0].ending(ONE), runs) == (("completed", "heard"), [False, True])


@pytest.mark.parametrize("wake_at", [FIXTURE_START, FIXTURE_START - SOON])
def test_a_step_that_waits_for_a_time_that_has_come_is_refused_and_the_worker_goes_on(
    tmp_path: Path, wake_at: datetime
) -> None:
    def listen(_kit: Kit, state: Slip) -> Outcome:
        return Wait(state, ("ping",), wake_at, FIXTURE_START + SOON, "")

    home = begun(tmp_path, workflow(listen, events=("ping",)))
    home.run()
    code, said = why_of(home)
    assert (code, "which has passed" in said) == ("outcome_refused", True)


def test_a_thread_that_no_event_reaches_stays_where_it_waits(tmp_path: Path) -> None:
    later = FIXTURE_START + timedelta(days=1)

    def listen(kit: Kit, state: Slip) -> Outcome:
        return done(kit, state) if kit.event("ping") else Wait(state, ("ping",), later, later, "")

    home = begun(tmp_path, workflow(listen, events=("ping",)))
    home.run()
    assert (home.run(), home.ending(ONE)) == (0, ("waiting", None))


@pytest.mark.case("I10")
def test_an_event_resumes_only_the_step_that_waits(tmp_path: Path) -> None:
    runs: list[str] = []

    def before(_kit: Kit, state: Slip) -> Outcome:
        runs.append("before")
        return Advance(state, "")

    def listen(kit: Kit, state: Slip) -> Outcome:
        runs.append("listen")
        later = FIXTURE_START + timedelta(days=1)
        return done(kit, state) if kit.event("ping") else Wait(state, ("ping",), later, later, "")

    home = begun(tmp_path, workflow(before, listen, events=("ping",)))
    home.run()
    home.tell(ONE, "ping")
    home.run()
    assert (runs, home.ending(ONE)) == (["before", "listen", "listen"], ("completed", "done"))


@pytest.mark.case("A10")
def test_what_was_rejected_for_another_text_is_history_and_only_the_other_text_is_carried_out(tmp_path: Path) -> None:
    def invites(kit: Kit, state: Slip) -> Outcome:
        answer = kit.answer
        if answer is not None and answer.verdict == "approve":
            kit.once(answer.effects[0])
            return Finish(state, "done", "completed", "Invited.")
        if answer is not None:
            state = Slip((*state.lines, str(answer.reason)))
        text = state.lines[-1] if state.lines else "Come at ten."
        asks = Option("approve", "Send it", (Effect("invite", "tool", {"text": text}),))
        return Interrupt(state, Question("invite", "invite", text, (asks, Option("reject", "Another text"))))

    outside = FakeAdapter(approved_only=True)
    home = begun(tmp_path, workflow(invites), outside)
    home.run()
    first = home.question(ONE)
    home.answer(first.id, Answer("reject", first.version, reason="Come at noon."))
    home.run()
    with pytest.raises(AlreadyDecided):
        home.answer(first.id, Answer("approve", first.version))
    home.decide(ONE)
    home.run()
    told = {one.id: (one.status, one.title) for one in home.thread(ONE).approvals}
    assert told.pop(first.id) == ("rejected", "Come at ten.")
    assert list(told.values()) == [("approved", "Come at noon.")]
    assert [payload["text"] for _, _, payload in outside.outside] == ["Come at noon."]
    assert [one.status for one in home.ledger(ONE).values()] == ["done"]
