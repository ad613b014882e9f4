"""What every engine must keep: steps that fail, hang, die, are overtaken or are met by an event."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import StepFailed
from core.steps import Advance, Finish, Kit, Outcome, Wait
from tests.contracts.engines.world import HOUR, SECOND, World
from tests.contracts.tiny import LATER, Slip, raising, tool


def done(_kit: Kit, state: Slip) -> Outcome:
    return Finish(state, "done", "completed", "Done.")


def waits(kit: Kit, state: Slip) -> Outcome:
    """Wait for a ping for two hours."""
    happened = kit.event("ping")
    if happened is not None:
        return Finish(Slip((*state.lines, str(happened.data["n"]))), "met", "completed", "Met.")
    if state.lines:
        return Finish(state, "missed", "completed", "Missed.")
    until = kit.clock.now() + 2 * HOUR
    return Wait(Slip(("waited",)), ("ping",), until, until, "it ends")


@pytest.mark.seed("agent.engine.temporal")
def test_steps_are_performed_in_their_order_and_once_each(world: World) -> None:
    performed: list[str] = []

    def play(_kit: Kit, state: Slip) -> Outcome:
        performed.append("play")
        return Advance(Slip((*state.lines, "play")), "Played.")

    def then(_kit: Kit, state: Slip) -> Outcome:
        performed.append("then")
        return Finish(Slip((*state.lines, "then")), "done", "completed", "Done.")

    thread_id = world.play("in order", play)
    world.plays[f"{thread_id} then"] = then
    world.run()
    assert performed == ["play", "then"]
    assert [(one.number, one.step) for one in world.home.thread(thread_id).checkpoints] == [
        (0, "play"), (1, "play"), (2, "then")
    ]  # fmt: skip


def test_an_event_that_comes_before_anybody_waits_is_met(world: World) -> None:
    thread_id = world.play("early", waits)
    world.home.tell(thread_id, "ping", {"n": 1})
    world.run()
    assert world.home.ending(thread_id) == ("completed", "met")


def test_an_event_wakes_the_one_that_waits_for_it(world: World) -> None:
    thread_id, other = world.play("woken", waits), world.play("not woken", waits)
    world.run()
    world.home.tell(thread_id, "ping", {"n": 1})
    world.run()
    assert (world.home.ending(thread_id), world.row(other).status) == (("completed", "met"), "waiting")
    world.move(2 * HOUR)
    assert world.home.ending(other) == ("completed", "missed")


def test_an_event_that_comes_while_the_step_runs_is_not_lost(world: World) -> None:
    def play(kit: Kit, state: Slip) -> Outcome:
        if not state.lines:
            world.home.tell(thread_id, "ping", {"n": 1})
        return waits(kit, state)

    thread_id = world.play("midway", play)
    world.run()
    assert world.home.ending(thread_id) == ("completed", "met")


def test_a_step_that_fails_is_tried_again_later_and_then_parked(world: World) -> None:
    tries: list[int] = []

    def play(_kit: Kit, _state: Slip) -> Outcome:
        tries.append(1)
        if len(tries) <= len(LATER) + 1:
            raise StepFailed("The model did not answer.")
        return Finish(Slip(), "done", "completed", "Done.")

    thread_id = world.play("failing", play)
    world.run()
    for count, wait in enumerate(LATER, 1):
        world.move(wait - SECOND)
        assert len(tries) == count
        world.move(SECOND)
    row = world.row(thread_id)
    assert (len(tries), row.status, row.wake_at) == (len(LATER) + 1, "parked", None)
    world.home.retry(thread_id)
    world.run()
    assert world.home.ending(thread_id) == ("completed", "done")


def test_one_thread_s_trouble_is_no_other_s(world: World) -> None:
    def breaks(_kit: Kit, _state: Slip) -> Outcome:
        raise ZeroDivisionError

    broken, whole = world.play("broken", breaks), world.play("whole", done)
    world.run()
    assert (world.home.ending(whole), world.row(broken).tries) == (("completed", "done"), 1)


def test_a_late_worker_changes_nothing(world: World) -> None:
    def play(_kit: Kit, _state: Slip) -> Outcome:
        world.home.cancel(thread_id)  # whoever cancels takes the lease away
        return Finish(Slip(("late",)), "done", "completed", "Late.")

    thread_id = world.play("late", play)
    world.run()
    assert world.home.ending(thread_id) == ("failed", "cancelled")
    assert (len(world.home.thread(thread_id).checkpoints), world.home.summaries(thread_id)) == (1, {})


def test_what_a_dead_worker_held_is_carried_on_and_the_death_is_counted(world: World) -> None:
    thread_id = world.play("left behind", done)
    world.die_holding(thread_id)
    world.run()
    assert world.home.ending(thread_id) == ("completed", "done")
    assert [one.result for one in world.home.thread(thread_id).attempts] == ["died"]


def test_a_step_that_kills_its_worker_again_and_again_is_parked(world: World) -> None:
    performed: list[int] = []

    def play(_kit: Kit, state: Slip) -> Outcome:
        performed.append(1)
        return done(_kit, state)

    thread_id = world.play("deadly", play)
    world.die_holding(thread_id, deaths=9)
    world.run()
    row = world.row(thread_id)
    assert (performed, row.status, row.parked_why, row.deaths) == ([], "parked", "died_too_often", 10)
    world.home.retry(thread_id)
    world.run()
    assert (performed, world.row(thread_id).deaths) == ([1], 0)


def test_what_killed_three_times_is_carried_on_alone_and_then_forgiven(world: World) -> None:
    thread_id, other = world.play("alone", done), world.play("beside", done)
    world.home.change("UPDATE threads SET deaths = 3 WHERE id = :id", id=thread_id)
    world.run()
    assert [world.home.ending(one) for one in (thread_id, other)] == [("completed", "done")] * 2
    assert world.row(thread_id).deaths == 0


def test_an_effect_that_nobody_knows_of_waits_for_a_person(world: World) -> None:
    def play(kit: Kit, _state: Slip) -> Outcome:
        receipt = kit.once(tool("act"))
        return Finish(Slip((str(receipt.result_ref),)), "done", "completed", "Done.")

    thread_id, before = world.play("doubtful", play), world.outside.delivering
    world.outside.delivering = raising(ConnectionResetError())
    world.run()
    world.outside.delivering = before
    world.move(HOUR)
    assert (world.row(thread_id).status, world.home.ledger(thread_id)["act"].status) == ("parked", "unknown")
    world.home.settle(f"{thread_id}/act", "seen in its list")
    world.run()
    assert world.home.ending(thread_id) == ("completed", "done")
    assert (world.outside.tries.count("act"), world.outside.outside) == (1, [])


def test_a_step_that_the_loaded_code_does_not_know_is_parked_and_said_so(world: World) -> None:
    thread_id = world.play("renamed", done)
    world.home.change("UPDATE threads SET step = 'was renamed' WHERE id = :id", id=thread_id)
    assert [one[:2] for one in world.home.blocked()] == [(thread_id, "was renamed")]
    world.run()
    row = world.row(thread_id)
    assert (row.status, row.parked_why) == ("parked", "unknown_step")
    world.home.cancel(thread_id)


def test_a_wait_that_is_over_before_it_begins_is_refused(world: World) -> None:
    def play(kit: Kit, state: Slip) -> Outcome:
        return Wait(state, ("ping",), kit.clock.now(), kit.clock.now(), "nothing")

    thread_id = world.play("past", play)
    world.run()
    assert (world.row(thread_id).status, world.row(thread_id).parked_why) == ("parked", "outcome_refused")


def test_a_thread_of_an_erased_subject_establishes_nothing_more(world: World) -> None:
    def play(_kit: Kit, _state: Slip) -> Outcome:
        world.home.change(
            "INSERT INTO tombstones SELECT tenant_id, subject_id, '2026-08-20T09:00:00.000Z' FROM threads"
            " WHERE id = :id",
            id=thread_id,
        )
        return Finish(Slip(("kept after all",)), "done", "completed", "Done.")

    thread_id = world.play("erased", play)
    world.run()
    row = world.row(thread_id)
    assert (row.status, row.parked_why, row.checkpoint, world.home.summaries(thread_id)) == ("parked", "erased", 0, {})
    world.move(timedelta(days=1))
    assert world.row(thread_id).checkpoint == 0
