"""What every engine must keep: decisions, holds, letters, events and deadlines of one applicant each."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.bootstrap import open_tenant
from core.desk.decisions import Answer
from core.errors import AlreadyDecided, AlreadyReleased, BadInput, StaleVersion
from tests.contracts.engines.world import HOLD, HOUR, REMINDED, SECOND, WINDOW, World

LEFT = REMINDED - HOUR


def test_an_effect_happens_once_under_its_key_however_often_it_is_driven(world: World) -> None:
    thread_id = world.invited()
    for _ in range(3):
        world.run()
    assert world.letters(thread_id) == ["invite"]
    assert [(one.key, one.status, one.attempt) for one in world.home.ledger(thread_id).values()] == [
        (f"{thread_id}/invite", "done", 1)
    ]


def test_a_question_is_decided_once(world: World) -> None:
    thread_id = world.asked()
    question = world.home.question(thread_id)
    world.home.answer(question.id, Answer("reject", question.version, {}))
    with pytest.raises(AlreadyDecided):
        world.home.answer(question.id, Answer("approve", question.version, {}))
    world.move(HOLD)
    assert (world.letters(thread_id), world.row(thread_id).status) == (["decline"], "rejected")


def test_a_stale_decision_is_told_and_nothing_leaves(world: World) -> None:
    thread_id = world.asked()
    seen = world.home.question(thread_id)
    world.home.amend(thread_id, name="Anna Example")
    world.run()
    with pytest.raises(StaleVersion):
        world.home.answer(seen.id, Answer("approve", seen.version, {}))
    world.move(HOLD)
    assert (world.letters(thread_id), world.row(thread_id).status) == ([], "awaiting_review")


def test_a_held_decision_leaves_when_its_hold_is_over_and_not_before(world: World) -> None:
    thread_id = world.held()
    world.move(HOLD - SECOND)
    assert (world.letters(thread_id), world.row(thread_id).status) == ([], "waiting")
    world.move(SECOND)
    assert world.letters(thread_id) == ["invite"]


def test_an_undo_while_it_is_held_leaves_nothing_and_asks_again(world: World) -> None:
    thread_id = world.held()
    world.home.undo(thread_id)
    world.move(HOLD + HOUR)
    assert (world.letters(thread_id), world.home.question(thread_id).status) == ([], "pending")


def test_a_release_by_hand_leaves_at_once_and_no_undo_takes_it_back(world: World) -> None:
    thread_id = world.held()
    world.home.release(thread_id)
    world.run()
    assert world.letters(thread_id) == ["invite"]
    with pytest.raises(AlreadyReleased):
        world.home.undo(thread_id)


def test_the_reminder_goes_at_its_time_and_the_deadline_ends_the_wait(world: World) -> None:
    thread_id = world.invited()
    world.move(REMINDED - SECOND)
    assert world.letters(thread_id) == ["invite"]
    world.move(SECOND)
    assert world.letters(thread_id) == ["invite", "reminder"]
    world.move(WINDOW - REMINDED)
    assert world.home.ending(thread_id) == ("completed", "expired")


def test_a_booking_ends_the_wait_and_stops_the_reminder(world: World) -> None:
    thread_id = world.invited()
    world.home.book(thread_id)
    world.run()
    assert world.home.ending(thread_id) == ("completed", "booked")
    world.move(WINDOW)
    assert world.letters(thread_id).count("reminder") == 0


def test_a_booking_told_twice_counts_once(world: World) -> None:
    thread_id = world.invited()
    assert [world.home.book(thread_id).repeated for _ in range(2)] == [False, True]
    world.run()
    assert world.home.ending(thread_id) == ("completed", "booked")
    assert world.home.look("SELECT count(*) FROM events WHERE thread_id = :id", id=thread_id) == [(1,)]


def test_a_booking_at_the_deadline_is_late_and_waits_for_a_person(world: World) -> None:
    thread_id = world.invited()
    world.move(WINDOW)
    assert world.home.book(thread_id).late
    world.run()
    assert world.home.ending(thread_id) == ("completed", "expired")
    assert world.home.see(thread_id) == 1


def test_a_role_closed_in_the_hold_brings_the_answer_back(world: World) -> None:
    role_id = world.home.add_role("role-20")
    thread_id = world.asked(role_id)
    world.home.decide(thread_id)
    world.home.close_role(role_id)
    world.move(HOLD)
    assert (world.letters(thread_id), world.home.question(thread_id).status) == ([], "pending")


def test_whoever_may_not_decide_any_more_releases_nothing(world: World) -> None:
    thread_id = world.asked()
    world.home.add_person(f"{thread_id[-4:]}@example.com").decide(thread_id)
    world.take_access(f"{thread_id[-4:]}@example.com")
    world.move(HOLD)
    assert (world.letters(thread_id), world.home.question(thread_id).status) == ([], "pending")


def test_a_cancelled_run_sends_nothing_more(world: World) -> None:
    thread_id = world.held()
    world.home.cancel(thread_id)
    world.move(HOLD + WINDOW)
    assert (world.letters(thread_id), world.home.ending(thread_id)) == ([], ("failed", "cancelled"))
    with pytest.raises(BadInput):
        world.home.cancel(thread_id)


def test_a_parked_run_stands_until_a_retry(world: World) -> None:
    thread_id = world.held()
    world.home.park(thread_id)
    world.move(HOLD + HOUR)
    assert (world.letters(thread_id), world.row(thread_id).status) == ([], "parked")
    world.home.retry(thread_id)
    world.run()
    assert world.letters(thread_id) == ["invite"]


def test_what_sending_holds_back_leaves_once_it_is_on(world: World) -> None:
    thread_id = world.held()
    world.home.switch(on=False)
    world.move(HOLD)
    assert (world.letters(thread_id), world.row(thread_id).tries) == ([], 0)
    world.home.switch(on=True)
    world.run()
    assert world.letters(thread_id) == ["invite"]


def test_a_sandbox_sends_nothing_whatever_is_answered_in_it(world: World) -> None:
    thread_id = world.invited()
    last = max(one.number for one in world.home.thread(thread_id).checkpoints if one.step == "route")
    forked = world.fork(thread_id, last)
    world.run()
    world.home.decide(forked)
    world.move(HOLD)
    assert (world.letters(forked), world.home.ending(forked)) == ([], ("completed", "not_sent"))
    assert world.letters(thread_id) == ["invite"]


def test_another_tenant_s_clock_moves_nothing_here(world: World) -> None:
    thread_id = world.held()
    with world.home.app.write() as tx:
        open_tenant(tx, "elsewhere", "Elsewhere", world.now)
    world.home.change("UPDATE tenants SET clock_offset_ms = 999999999 WHERE id = 'elsewhere'")
    world.run()
    assert (world.letters(thread_id), world.row(thread_id).status) == ([], "waiting")


def test_nothing_is_broken_after_all_this(world: World) -> None:
    world.move(timedelta(days=4))
    assert world.home.verify() == []
