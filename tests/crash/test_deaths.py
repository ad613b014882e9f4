"""A step or a letter that kills its own process: the death is counted against that thread and no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.crash.acts import engine_of
from tests.crash.errands import open_errand
from tests.crash.processes import KILLED, Nursery
from tests.crash.records import assert_clean, attempts, ledger, letters, thread
from tests.homes import Home

pytestmark = pytest.mark.crash

MANY = 99


def work_until_idle(home: Home, nursery: Nursery, **more: object) -> int:
    """Start workers until one comes to an end alive, and answer how many were killed."""
    for deaths in range(20):
        if nursery.start("work", home, **more).wait() == 0:
            return deaths
    raise AssertionError("twenty workers died")


def take_over(home: Home) -> None:
    """Start a worker that gives back what the dead held, and no more."""
    engine = engine_of(home.app)
    engine._worker.take_over(own=True)
    engine.stop()


def test_a_death_is_counted_for_the_thread_that_was_performed_only(home: Home, nursery: Nursery) -> None:
    names = [open_errand(home, f"errand-{n}", **({"fetch": MANY} if n == 2 else {})) for n in range(5)]
    for expected in (1, 2, 3):
        assert nursery.start("work", home).wait() == KILLED
        take_over(home)
        assert [thread(home, one).deaths for one in names] == [0, 0, expected, 0, 0]

    assert nursery.start("work", home).wait() == KILLED

    assert [thread(home, one).status for one in names] == ["completed"] * 2 + ["running"] + ["completed"] * 2
    assert_clean(home)


def test_after_ten_deaths_a_thread_is_parked_and_a_retry_after_a_repair_carries_it_on(
    home: Home, nursery: Nursery
) -> None:
    deadly, harmless = open_errand(home, "errand-1", fetch=10), open_errand(home, "errand-2")

    assert work_until_idle(home, nursery) == 10

    parked = thread(home, deadly)
    assert (parked.status, parked.parked_why, parked.deaths) == ("parked", "died_too_often", 10)
    assert attempts(home) == [(deadly, "died", "process_died")] * 10
    assert thread(home, harmless).status == "completed"
    home.retry(deadly)
    nursery.start("work", home).finish()
    assert (thread(home, deadly).status, thread(home, deadly).deaths) == ("completed", 0)
    assert_clean(home)


def test_a_checkpoint_sets_the_deaths_to_nothing(home: Home, nursery: Nursery) -> None:
    one = open_errand(home, "errand-1", fetch=9, carry=9)

    assert work_until_idle(home, nursery) == 18

    assert (thread(home, one).status, thread(home, one).deaths) == ("completed", 0)


def test_a_letter_that_kills_its_process_is_counted_for_its_thread_only(
    home: Home, approved: Callable[[int], list[str]], nursery: Nursery
) -> None:
    ids = approved(4)
    deadly = f"{ids[1]}/invite"

    assert work_until_idle(home, nursery, deadly=deadly) == 10

    others = {f"{one}/invite": 1 for one in ids if one != ids[1]}
    assert letters(home) == others
    assert ledger(home) == {**dict.fromkeys(others, "done"), deadly: "sending"}
    assert {one for one, _, _ in attempts(home)} == {ids[1]}
    assert [thread(home, one).status for one in ids] == ["waiting", "parked", "waiting", "waiting"]
    home.retry(ids[1])
    home.run()
    assert letters(home) == {**others, deadly: 1}
    assert_clean(home)
