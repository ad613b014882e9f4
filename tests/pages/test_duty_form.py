"""The local times on Settings: what is typed is shown with its next seven times, and saved by an owner only."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.clock import FIXTURE_START
from tests.homes import Home
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.test_settings import button, press

KEY = "settings.duty.memory-sweep"


def typed(app: AppTest, at: str, zone: str = "Europe/Copenhagen") -> AppTest:
    app.text_input(key=f"{KEY}.at").set_value(at)
    return app.text_input(key=f"{KEY}.zone").set_value(zone).run()


def kept(home: Home) -> list[tuple[object, ...]]:
    return home.look("SELECT at_time, zone, next_day FROM duties")


@pytest.fixture
def october(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The same home, days before the clocks go back."""
    monkeypatch.setenv("DAYBOOK_NOW", "2026-10-22T10:00:00Z")
    return home


@pytest.mark.case("T05")
def test_an_hour_that_comes_twice_soon_is_taken_and_shown_once(october: Home, open_page: Open) -> None:
    app = typed(open_page("settings"), "02:00")

    assert drawn(app).count("Sun 25 Oct 02:00 CEST") == 1
    assert "02:00 comes twice on 2026-10-25: the clocks go back, and the first counts." in drawn(app)
    assert "Thu 29 Oct 02:00 CET" in drawn(app)
    assert kept(october) == []

    app = press(app, "duty.memory-sweep.save")

    assert kept(october) == [("02:00", "Europe/Copenhagen", "2026-10-23")]
    assert "<bdi>every day at 02:00, Europe/Copenhagen</bdi>, next " in drawn(app)


@pytest.mark.parametrize(
    ("at", "zone", "said"),
    [("2", "Europe/Berlin", "is no time of day"), ("02:00", "Europe/Nowhere", "is no time zone")],
)
def test_what_is_no_time_is_refused_in_a_sentence_and_stays_typed(
    home: Home, open_page: Open, at: str, zone: str, said: str
) -> None:
    app = typed(open_page("settings"), at, zone)

    assert said in drawn(app)
    assert button(app, "duty.memory-sweep.save") is None
    assert app.text_input(key=f"{KEY}.at").value == at


def test_a_run_that_came_late_says_so_and_how_many_were_missed(
    home: Home, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(typed(open_page("settings"), "03:30", "Europe/London"), "duty.memory-sweep.save")
    later = home.at(FIXTURE_START + timedelta(days=3))
    later.run()
    later.app.close()
    monkeypatch.setenv("DAYBOOK_NOW", "2026-08-23T09:00:00Z")

    shown = drawn(open_page("settings"))

    assert "6 h 30 min late; deleted 0. 2 days before it had none: no worker was there." in shown


def test_what_is_on_is_switched_off(home: Home, open_page: Open) -> None:
    app = press(typed(open_page("settings"), "03:30"), "duty.memory-sweep.save")

    app = press(app, "duty.memory-sweep.off")

    assert kept(home) == [("03:30", "Europe/Copenhagen", None)]
    assert button(app, "duty.memory-sweep.off") is None


@pytest.mark.parametrize("access", ["viewer", "reviewer"])
def test_whoever_is_no_owner_reads_the_times_and_sets_none(
    home: Home, open_page: Open, sign_in: SignIn, access: Any
) -> None:
    sign_in(home.add_person("rae@example.com", access))

    app = open_page("settings")

    assert "<b>memory-sweep</b>: off." in drawn(app)
    assert button(app, "duty.") is None
