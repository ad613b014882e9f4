"""What a step may answer and keep, and what becomes of one that breaks (contracts C1, C2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.clock import FIXTURE_START
from core.steps import Advance, Finish, Interrupt, Kit, Option, Outcome, Question, Rule, Step, Wait, kept
from core.views.sentence import sentence
from tests.contracts.tiny import ONE, SOON, TWO, Slip, asked, begun, done, tool, why_of, workflow
from tests.fakes import FakeAdapter

# Outcomes


@pytest.mark.parametrize("answer", [None, {"outcome": "done"}, "done", Finish, (Slip(), "done")])
def test_an_answer_that_is_no_outcome_is_refused_and_parked(tmp_path: Path, answer: object) -> None:
    def muddle(_kit: Kit, _state: Slip) -> Any:
        return answer

    home = begun(tmp_path, workflow(muddle))
    home.run()
    code, said = why_of(home)
    assert (home.ending(ONE), code) == (("parked", None), "outcome_refused")
    assert "a step answers Advance, Interrupt, Wait or Finish" in said
    assert len(home.thread(ONE).checkpoints) == 1


@pytest.mark.parametrize(
    "outcome",
    [
        Advance(Slip(), "", to="nowhere"),
        Advance(Slip(), ""),
        Advance("no slip", ""),
        Finish(Slip(), "done", "finished", ""),  # type: ignore[arg-type]
        Finish(Slip(), "done", "completed", 7),  # type: ignore[arg-type]
        Wait(Slip(), ("ping",), "tomorrow", FIXTURE_START, ""),  # type: ignore[arg-type]
        Wait(Slip(), ("ping",), FIXTURE_START.replace(tzinfo=None), FIXTURE_START, ""),
        Interrupt(Slip(), Question("q", "q", "Which?", (Option("approve", "Yes"),), facts={"at": FIXTURE_START})),
        Interrupt(Slip(), Question("q", "q", "Which?", (Option("approve", "Yes"),), basis={"set": {1, 2}})),
        Interrupt(Slip(), Question("q", "q", "Which?", (Option("approve", "Yes", (tool("act", at=FIXTURE_START),)),))),
    ],
)
def test_an_outcome_that_cannot_be_written_is_its_own_thread_s_trouble_only(tmp_path: Path, outcome: Outcome) -> None:
    def muddle(kit: Kit, _state: Slip) -> Outcome:
        return outcome if kit.thread_id == ONE else Finish(Slip(), "done", "completed", "Done.")

    tiny = workflow(muddle)
    home = begun(tmp_path, tiny)
    home.begin(tiny, TWO, Slip())
    home.run()
    assert home.ending(ONE)[0] in ("ready", "parked")
    assert (home.ending(TWO), len(home.thread(ONE).attempts), home.verify()) == (("completed", "done"), 1, [])


# A step that breaks


def test_a_step_that_raises_is_tried_again_later_and_parked_after_the_last_try(tmp_path: Path) -> None:
    broken = [True]

    def shaky(kit: Kit, state: Slip) -> Outcome:
        if broken:
            raise ValueError("the shelf fell down")
        return done(kit, state)

    home = begun(tmp_path, workflow(shaky))
    now = FIXTURE_START
    home.run()
    for wait in (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)):
        thread = home.thread(ONE).thread
        assert (thread.status, thread.wake_at) == ("ready", now + wait)
        early = home.at(now + wait - timedelta(seconds=1))
        assert early.run() == 0
        now += wait
        home = early.at(now)
        home.run()
    whole = home.thread(ONE)
    assert (whole.thread.status, [(one.result, one.code) for one in whole.attempts]) == (
        "parked", [("error", "ValueError")] * 5,
    )  # fmt: skip
    assert whole.attempts[-1].said == "ValueError: the shelf fell down"
    assert f"After the repair: `retry {ONE} --as EMAIL`." in sentence(whole.thread, home.app.zone)
    broken.clear()
    home.retry(ONE)
    home.run()
    assert (home.ending(ONE), len(home.thread(ONE).attempts)) == (("completed", "done"), 5)


def test_a_step_that_raised_once_starts_counting_anew_after_it_settled(tmp_path: Path) -> None:
    left = [1]

    def shaky(_kit: Kit, state: Slip) -> Outcome:
        if left:
            left.pop()
            raise ValueError("once")
        return Advance(state, "")

    def broken(_kit: Kit, _state: Slip) -> Outcome:
        raise ValueError("again")

    home = begun(tmp_path, workflow(shaky, broken))
    home.run()
    home = home.at(FIXTURE_START + SOON)
    home.run()
    thread = home.thread(ONE).thread
    assert (thread.step, thread.tries, thread.wake_at) == ("broken", 1, FIXTURE_START + 2 * SOON)


# Other code


def asking(name: str, *, then: str = "after") -> tuple[Step, Step]:
    """Make a step of this name that asks, and one that ends."""

    def ask(kit: Kit, state: Slip) -> Outcome:
        if kit.answer is None:
            return Interrupt(state, Question("go", "go", "Go on?", (Option("approve", "Yes"), Option("reject", "No"))))
        return Advance(Slip((*state.lines, kit.answer.verdict)), "Answered.")

    def after(kit: Kit, state: Slip) -> Outcome:
        kit.once(tool("after"))
        return Finish(state, state.lines[-1], "completed", "Done.")

    return Step(name, name.title(), ask), Step(then, then.title(), after)


OLD = replace(workflow(done), steps=asking("ask"))


@pytest.mark.parametrize("count", [1, 40])
@pytest.mark.case("I11", "J05")
def test_threads_that_wait_at_a_step_that_was_renamed_go_on_with_what_they_had(tmp_path: Path, count: int) -> None:
    adapter = FakeAdapter()
    home = begun(tmp_path, OLD, adapter)
    names = [ONE, *(f"tiny/{number}" for number in range(count - 1))]
    for name in names[1:]:
        home.begin(OLD, name, Slip())
    home.run()
    home = home.with_code(replace(OLD, steps=asking("decide", then="carry_out"), renamed=_RENAMED))
    assert home.blocked() == []
    for name in names:
        home.decide(name)
    home.run()
    assert {home.ending(name) for name in names} == {("completed", "approve")}
    assert (len(adapter.outside), home.verify()) == (count, [])
    assert {line.status for name in names for line in home.thread(name).plan} == {"done"}


_RENAMED = {"ask": "decide", "after": "carry_out"}


def test_an_answer_given_before_a_step_was_renamed_can_be_undone_after(tmp_path: Path) -> None:
    home = begun(tmp_path, OLD, FakeAdapter())
    home.run()
    home = home.at(FIXTURE_START).with_hold(900)
    home.decide(ONE)
    home = home.with_code(replace(OLD, steps=asking("decide", then="carry_out"), renamed=_RENAMED))
    home.undo(ONE)
    home.run()
    assert (home.ending(ONE), asked(home)) == (("awaiting_review", None), [(ONE, "go")])
    home.decide(ONE, "reject")
    home = home.at(FIXTURE_START + timedelta(hours=1))
    home.run()
    assert home.ending(ONE) == ("completed", "reject")


@pytest.mark.case("J05")
def test_threads_that_wait_at_a_step_that_is_gone_are_named_and_not_lost(tmp_path: Path) -> None:
    home = begun(tmp_path, OLD, FakeAdapter())
    home.run()
    gone = home.with_code(replace(OLD, steps=asking("decide", then="carry_out")))
    assert gone.blocked() == [(ONE, "ask", "workflow tiny has no step 'ask'")]
    gone.decide(ONE)
    gone.run()
    thread = gone.thread(ONE).thread
    assert (thread.status, thread.parked_why, gone.question(ONE).consumed_by) == ("parked", "unknown_step", None)
    assert "the loaded code does not know its step" in sentence(thread, home.app.zone)
    mended = gone.with_code(replace(OLD, steps=asking("decide", then="carry_out"), renamed=_RENAMED))
    mended.retry(ONE)
    mended.run()
    assert mended.ending(ONE) == ("completed", "approve")


@pytest.mark.case("I16")
def test_threads_of_a_workflow_that_is_gone_are_named_and_not_lost(tmp_path: Path) -> None:
    home = begun(tmp_path, OLD, FakeAdapter())
    home.run()
    other = home.with_code(replace(OLD, name="other")).without("tiny")
    assert other.blocked() == [(ONE, "ask", "no workflow 'tiny' is loaded")]
    home.decide(ONE)
    other.run()
    assert why_of(other)[0] == "unknown_step"
    home.retry(ONE)
    home.run()
    assert home.ending(ONE) == ("completed", "approve")


@dataclass(frozen=True, slots=True)
class Strict:
    """The slip of the next release, whose lines became numbers."""

    lines: tuple[int, ...] = field(default=(), metadata=kept(Rule.CLOSE_6_MONTHS))


@pytest.mark.case("I17", "S02")
def test_a_field_that_cannot_be_read_uses_no_answer_up_and_names_itself(tmp_path: Path) -> None:
    adapter = FakeAdapter()
    home = begun(tmp_path, OLD, adapter, state=Slip(("seven",)))
    home.run()
    changed = home.with_code(replace(OLD, state=Strict))
    ((thread_id, step, reason),) = changed.blocked()
    assert (thread_id, step, "saved field lines cannot be read" in reason) == (ONE, "ask", True)
    changed.decide(ONE)
    changed.run()
    code, said = why_of(changed)
    assert (code, changed.question(ONE).consumed_by, adapter.tries) == ("state_unreadable", None, [])
    assert said.startswith(f"{ONE}: saved field lines cannot be read")
    home.retry(ONE)
    home.run()
    assert (home.ending(ONE), adapter.happened) == (("completed", "approve"), ["after"])


@pytest.mark.parametrize("column", ["thread_sections", "approvals", "events", "subject_fields"])
@pytest.mark.case("S02")
def test_a_damaged_row_parks_its_thread_and_stops_no_other(tmp_path: Path, column: str) -> None:
    sealed = {"approvals": "question"}.get(column, "sealed")
    home = begun(tmp_path, OLD, FakeAdapter())
    home.begin(OLD, TWO, Slip())
    home.run()
    for name in (ONE, TWO):
        home.tell(name, "ping")
        home.decide(name)
    before = home.look(f"SELECT {sealed} FROM {column} WHERE thread_id = :id", id=ONE)[0][0]
    home.change(f"UPDATE {column} SET {sealed} = :damaged WHERE thread_id = :id", damaged=b"\1\2", id=ONE)
    home.run()
    status = home.look("SELECT status, parked_why FROM threads WHERE id = :id", id=ONE)
    assert (status, home.ending(TWO)) == ([("parked", "state_unreadable")], ("completed", "approve"))
    home.change(f"UPDATE {column} SET {sealed} = :before WHERE thread_id = :id", before=before, id=ONE)
    home.retry(ONE)
    home.run()
    assert home.ending(ONE) == ("completed", "approve")
