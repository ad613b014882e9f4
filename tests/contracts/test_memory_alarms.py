"""Memory raises an alarm on a source that writes too much and on a record that reaches too many; nothing is stopped."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.catalog.policies import read_policy
from core.clock import FIXTURE_START
from core.errors import SettingsWrong
from core.memory.alarms import Alarm, Bounds, find_alarms, read_bounds
from core.steps import Advance, Finish, Kit, Outcome, Record, Rule
from tests.contracts.remembering import DAY, change, look, purge, recalls, remember, states
from tests.contracts.tiny import Slip, workflow
from tests.homes import Home, open_home

FEW = Bounds(writes_per_hour=2, subjects_per_record=2)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(tmp_path / "home")


def alarms(home: Home, bounds: Bounds = FEW) -> list[Alarm]:
    with home.app.read() as conn:
        return find_alarms(conn, home.tenant_id, home.actor.now, bounds)


def write(home: Home, count: int, source: str = "invoices") -> list[str]:
    now = home.actor.now
    return [remember(home, f"Fact {n} at {now}.", key=f"{now}/{n}/{source}", source=source).id for n in range(count)]


def test_the_bounds_are_configuration() -> None:
    assert read_bounds(read_policy("memory")) == Bounds(60, 25)


@pytest.mark.parametrize("value", [0, -1, True, "60", None, 1.5])
def test_a_bound_that_is_none_stops_the_start(value: Any) -> None:
    with pytest.raises(SettingsWrong, match="whole numbers"):
        read_bounds({"writes_per_source_and_hour": value, "subjects_per_record": 25})


# A source that writes too much


def test_a_source_at_its_bound_is_quiet_and_one_record_more_raises_the_alarm(home: Home) -> None:
    write(home, 2)
    assert alarms(home) == []
    remember(home, "One more.", key="more", source="invoices")
    assert [one.count for one in alarms(home)] == [3]


def test_an_alarm_names_the_source_how_much_and_since_when(home: Home) -> None:
    write(home, 3)
    assert alarms(home) == [Alarm("writes", "invoices", 3, 2, FIXTURE_START)]


def test_two_sources_are_counted_apart(home: Home) -> None:
    write(home, 2, "invoices")
    write(home, 2, "a letter")
    assert alarms(home) == []


def test_two_hours_are_counted_apart(home: Home) -> None:
    write(home, 2)
    later = home.at(FIXTURE_START + timedelta(hours=1))
    write(later, 2)
    assert alarms(later) == []


def test_what_was_forgotten_was_written_all_the_same(home: Home) -> None:
    for one in write(home, 3):
        change(home, "forget", one)
    assert [one.name for one in alarms(home)] == ["invoices"]


def test_an_alarm_is_over_after_a_week(home: Home) -> None:
    write(home, 3)
    assert alarms(home.at(FIXTURE_START + 6 * DAY)) != []
    assert alarms(home.at(FIXTURE_START + 8 * DAY)) == []


def test_a_runs_steps_are_one_source(home: Home) -> None:
    def one(kit: Kit, state: Slip) -> Outcome:
        return kept(kit, state, "one")

    def two(kit: Kit, state: Slip) -> Outcome:
        return kept(kit, state, "two")

    def three(kit: Kit, state: Slip) -> Outcome:
        kit.remember(Record("observation", "three", "Step three was here.", 1.0, Rule.CLOSE_6_MONTHS))
        return Finish(state, "done", "completed", "Done.")

    flow = workflow(one, two, three)
    told = home.with_code(flow)
    told.begin(flow, "tiny/chatty", Slip())
    told.run()
    assert [(one.name, one.count) for one in alarms(home)] == [("tiny/chatty", 3)]


def kept(kit: Kit, state: Slip, name: str) -> Outcome:
    kit.remember(Record("observation", name, f"Step {name} was here.", 1.0, Rule.CLOSE_6_MONTHS))
    return Advance(state, f"Step {name}.")


def test_another_tenants_source_raises_no_alarm_here(home: Home) -> None:
    other = home.add_tenant("other")
    write(other, 3)
    assert (alarms(home), [one.name for one in alarms(other)]) == ([], ["invoices"])


def test_an_alarm_stops_nothing(home: Home) -> None:
    write(home, 4)
    assert set(states(home).values()) == {"live"}


# A record that reaches too many


def hand_over(home: Home, count: int) -> None:
    flow = workflow(recalls)
    told = home.with_code(flow)
    for number in range(count):
        told.begin(flow, f"tiny/{number}", Slip())
    told.run()


def test_a_record_handed_to_as_many_people_as_it_may_is_quiet(home: Home) -> None:
    remember(home)
    hand_over(home, 2)
    assert alarms(home) == []


def test_one_more_raises_the_alarm(home: Home) -> None:
    line = remember(home)
    hand_over(home, 3)
    assert alarms(home) == [Alarm("reaches", line.id, 3, 2, FIXTURE_START)]
    assert look(home).used


@pytest.mark.parametrize("act", ["forget", "expire", "purge"])
def test_a_record_that_reaches_nobody_any_more_is_quiet(home: Home, act: str) -> None:
    line = remember(home)
    hand_over(home, 3)
    purge(home, line.id) if act == "purge" else change(home, act, line.id)
    assert alarms(home) == []


def test_one_person_in_many_runs_is_one_person(home: Home) -> None:
    remember(home)
    hand_over(home, 3)
    (subject,) = home.look("SELECT MIN(subject_id) FROM threads")[0]
    home.change("UPDATE threads SET subject_id = :one", one=subject)
    assert alarms(home) == []


def test_another_tenants_record_raises_no_alarm_here(home: Home) -> None:
    other = home.add_tenant("other")
    remember(other)
    hand_over(replace(other), 3)
    assert (alarms(home), [one.kind for one in alarms(other)]) == ([], ["reaches"])
