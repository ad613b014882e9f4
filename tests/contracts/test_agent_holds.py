"""What a run may not take back is held after its answer as a letter is, and can be undone until then."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.errors import AlreadyReleased
from tests.contracts.agents import END, RUN, ask, migrating, plan, running, use
from tests.homes import Home, open_home

DROP = use("drop_table", database="a.db", table="t")
HELD = timedelta(minutes=15)
THERE = "SELECT name FROM sqlite_master WHERE name = 't'"


def asked(folder: Path) -> tuple[Home, Path]:
    """Open a home whose tenant holds decisions, with a run that asks whether it may drop a table."""
    home, place, _ = running(folder, plan("Drop t"), DROP, END)
    home = home.with_hold(int(HELD.total_seconds()))
    home.run()
    assert home.question(RUN).kind == "tool"
    return home, place


def test_an_approved_drop_is_held_and_then_done(tmp_path: Path) -> None:
    home, place = asked(tmp_path)
    home.decide(RUN)
    home.run()
    assert (home.question(RUN).is_held, ask(place / "a.db", THERE)) == (True, [("t",)])
    later = home.at(FIXTURE_START + HELD)
    later.run()
    assert (ask(place / "a.db", THERE), later.ending(RUN)) == ([], ("completed", "done"))


def test_an_approved_drop_can_be_undone_and_nothing_was_dropped(tmp_path: Path) -> None:
    home, place = asked(tmp_path)
    home.decide(RUN)
    home.run()
    home.undo(RUN)
    later = home.at(FIXTURE_START + 2 * HELD)
    later.run()
    assert (ask(place / "a.db", THERE), later.question(RUN).status) == ([("t",)], "pending")


def test_what_was_dropped_cannot_be_undone_and_says_so(tmp_path: Path) -> None:
    home, place = asked(tmp_path)
    home.decide(RUN)
    home.release(RUN)
    home.run()
    assert ask(place / "a.db", THERE) == []
    with pytest.raises(AlreadyReleased):
        home.undo(RUN)


def test_the_demos_run_is_begun_without_a_hold_so_that_its_second_worker_ends_it(tmp_path: Path) -> None:
    home, _ = migrating(tmp_path)
    home = home.with_hold(900)
    home.run()
    home.decide("shop-migration")
    home.run()
    assert home.ending("shop-migration") == ("completed", "done")


def test_a_home_of_its_own_holds_fifteen_minutes(tmp_path: Path) -> None:
    opened = open_home(tmp_path / "other", hold_seconds=None)
    assert opened.app.desk.hold_of(opened.actor.tenant) == HELD
    opened.app.close()
