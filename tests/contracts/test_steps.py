"""What a step may answer and keep, and what becomes of one that breaks (contracts C1, C2)."""

from __future__ import annotations

import enum
import socket
from dataclasses import dataclass, field, make_dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from core.clock import FIXTURE_START
from core.errors import AlreadyDecided, BadInput
from core.steps import Advance, Finish, Interrupt, Kit, Option, Outcome, Question, Rule, Step, Wait, kept
from core.views.queue import list_queue
from core.views.sentence import sentence
from tests.contracts.tiny import ONE, Slip, begun, done, tool, workflow
from tests.fakes import FakeAdapter
from tests.homes import Home

SOON = timedelta(seconds=10)
TWO = "tiny/two"


def why_of(home: Home, thread_id: str = ONE) -> tuple[str | None, str]:
    """Answer why a thread is parked, and what its last attempt said."""
    whole = home.thread(thread_id)
    return whole.thread.parked_why, whole.attempts[-1].said


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


# State


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


@pytest.mark.seed("screen.kind.durable")
@pytest.mark.parametrize(("kind", "value"), KEPT, ids=lambda one: repr(one)[:24])
def test_what_a_state_keeps_comes_back_equal(tmp_path: Path, kind: Any, value: object) -> None:
    home, found = keeping_state(tmp_path, kind, value)
    home.decide(ONE)
    home.run()
    assert (home.ending(ONE), found[-1], type(found[-1])) == (("completed", "done"), value, type(value))


@pytest.mark.parametrize(("kind", "value"), REFUSED, ids=lambda one: repr(one)[:24])
def test_what_would_not_come_back_equal_is_refused_when_it_is_saved_and_named(
    tmp_path: Path, kind: Any, value: object
) -> None:
    home, found = keeping_state(tmp_path, kind, value)
    code, said = why_of(home)
    assert (home.ending(ONE), code, found) == (("parked", None), "outcome_refused", [])
    assert "State field value" in said


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


# Questions


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


def asked(home: Home) -> list[tuple[str, str]]:
    """Answer what the queue holds: (thread, about)."""
    with home.app.read() as conn:
        return [(one.thread_id, one.about) for one in list_queue(conn, home.app.vault, home.tenant_id)]


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


def test_a_thread_that_no_event_reaches_stays_where_it_waits(tmp_path: Path) -> None:
    later = FIXTURE_START + timedelta(days=1)

    def listen(kit: Kit, state: Slip) -> Outcome:
        return done(kit, state) if kit.event("ping") else Wait(state, ("ping",), later, later, "")

    home = begun(tmp_path, workflow(listen, events=("ping",)))
    home.run()
    assert (home.run(), home.ending(ONE)) == (0, ("waiting", None))


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
    assert "Retry it after the repair." in sentence(whole.thread, home.app.zone)
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
def test_a_damaged_row_parks_its_thread_and_stops_no_other(tmp_path: Path, column: str) -> None:
    sealed = {"approvals": "question"}.get(column, "sealed")
    home = begun(tmp_path, OLD, FakeAdapter())
    home.begin(OLD, TWO, Slip())
    home.run()
    for name in (ONE, TWO):
        home.tell(name, "ping")
        home.decide(name)
    before = home.look(f"SELECT {sealed} FROM {column} WHERE thread_id = :id", id=ONE)[0][0]
    home.change(f"UPDATE {column} SET {sealed} = X'0102' WHERE thread_id = :id", id=ONE)
    home.run()
    status = home.look("SELECT status, parked_why FROM threads WHERE id = :id", id=ONE)
    assert (status, home.ending(TWO)) == ([("parked", "state_unreadable")], ("completed", "approve"))
    home.change(f"UPDATE {column} SET {sealed} = :before WHERE thread_id = :id", before=before, id=ONE)
    home.retry(ONE)
    home.run()
    assert home.ending(ONE) == ("completed", "approve")
