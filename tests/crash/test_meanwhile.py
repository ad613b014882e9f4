"""What happens in one process while a worker stands in the middle of something in another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from core.errors import AlreadyReleased
from tests.crash.processes import Child, Nursery, Signals
from tests.crash.records import assert_clean, attempts, ledger, letters, thread
from tests.homes import Home

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]
Stop = Callable[[Home, str], Child]


@pytest.fixture
def stopped_at(nursery: Nursery, signals: Signals) -> Stop:
    """Start a worker and wait until it stands at a place."""

    def start(home: Home, place: str) -> Child:
        worker = nursery.start("work", home, wait=place, signals=str(signals.folder))
        signals.wait_reached()
        return worker

    return start


@pytest.fixture
def reminded(home: Home, approved: Bring) -> Iterator[tuple[Home, str]]:
    """A home at the instant at which one thread's reminder is due."""
    (one,) = approved(1)
    home.run()
    later = home.at(home.actor.now + timedelta(hours=24))
    yield later, one
    later.app.close()


def test_a_booking_that_commits_while_the_reminder_is_prepared_stops_it(
    reminded: tuple[Home, str], stopped_at: Stop, signals: Signals
) -> None:
    home, one = reminded
    worker = stopped_at(home, "preparing")

    home.book(one)
    signals.let_go()
    worker.finish()
    home.run()

    assert letters(home) == {f"{one}/invite": 1}
    assert ledger(home) == {f"{one}/invite": "done", f"{one}/reminder": "void"}
    assert thread(home, one).outcome == "booked"
    assert_clean(home)


def test_a_booking_after_the_gate_does_not_call_the_reminder_back(
    reminded: tuple[Home, str], stopped_at: Stop, signals: Signals
) -> None:
    home, one = reminded
    worker = stopped_at(home, "delivered")

    home.book(one)
    signals.let_go()
    worker.finish()
    home.run()

    assert ledger(home) == {f"{one}/invite": "done", f"{one}/reminder": "done"}
    assert thread(home, one).outcome == "booked"
    assert_clean(home)


@pytest.mark.case("B01")
def test_an_event_that_comes_while_a_step_runs_is_not_lost(home: Home, stopped_at: Stop, signals: Signals) -> None:
    one = home.apply()
    worker = stopped_at(home, "scoring")

    home.tell(one, "withdraw")
    signals.let_go()
    worker.finish()

    assert (thread(home, one).status, thread(home, one).outcome) == ("completed", "withdrawn")
    assert attempts(home) == []
    assert_clean(home)


def test_a_decision_undone_while_its_letter_is_prepared_sends_nothing(
    home: Home, approved: Bring, stopped_at: Stop, signals: Signals
) -> None:
    (one,) = approved(1)
    worker = stopped_at(home, "preparing")

    home.undo(one)
    signals.let_go()
    worker.finish()
    home.run()

    assert (letters(home), ledger(home)) == ({}, {f"{one}/invite": "void"})
    assert (thread(home, one).status, home.question(one).status) == ("awaiting_review", "pending")
    assert_clean(home)


def test_a_decision_whose_letter_passed_the_gate_can_no_longer_be_undone(
    home: Home, approved: Bring, stopped_at: Stop, signals: Signals
) -> None:
    (one,) = approved(1)
    worker = stopped_at(home, "delivered")

    with pytest.raises(AlreadyReleased, match="2026-08-20T09:00:00Z"):
        home.undo(one)
    signals.let_go()
    worker.finish()

    assert letters(home) == {f"{one}/invite": 1}
    assert_clean(home)


def test_who_loses_access_while_the_letter_is_prepared_sends_nothing(
    home: Home, approved: Bring, stopped_at: Stop, signals: Signals
) -> None:
    (one,) = approved(1)
    worker = stopped_at(home, "preparing")

    home.change("UPDATE people SET active = false")
    signals.let_go()
    worker.finish()

    assert letters(home) == {}
    assert (thread(home, one).status, home.question(one).status) == ("awaiting_review", "pending")
    assert_clean(home)
