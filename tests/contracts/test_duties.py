"""Duties: one run for each local day, missed ones made up for once and said, none lost to a crash, none twice."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.desk.duties import set_duty_time, switch_duty_off
from core.duties.calendar import read_rule
from core.duties.duties import Run, list_duties, list_runs, take_due
from core.engines.duties import Duties
from core.errors import NotAllowed, NotFound
from core.people.tenants import TenantRow, get_tenant
from core.steps import Json
from tests.contracts.command_line import AS, CommandLine
from tests.homes import Home, open_home

NAME = "memory-sweep"


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def begin(folder: Path, now: datetime) -> Home:
    return open_home(folder / "home", now=now)


def set_time(home: Home, time: str, zone: str, weekday: str | None = None) -> datetime:
    actor, rule = home.actor, read_rule(time, zone, weekday)
    return home.app.act(actor, "duty set", lambda tx: set_duty_time(tx, actor, NAME, rule)).at


def runs(home: Home) -> list[Run]:
    """Answer the runs, the oldest first."""
    with home.app.read() as conn:
        return list(reversed(list_runs(conn, home.tenant_id)))


def next_at(home: Home) -> datetime | None:
    with home.app.read() as conn:
        due = list_duties(conn, home.tenant_id)[NAME].next
    return None if due is None else due.at


@pytest.mark.case("T03")
def test_each_local_day_has_one_run_over_both_nights_on_which_the_clocks_change(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 10, 24, 0))
    set_time(home, "02:30", "Europe/Berlin")
    for hours in range(0, 72):
        home = home.at(utc(2026, 10, 24, 0) + timedelta(hours=hours, minutes=31))
        home.run()
    autumn = [(run.due.day, run.due.at) for run in runs(home)]

    home = home.at(utc(2027, 3, 27, 12))
    home.run()
    for hours in range(0, 48):
        home = home.at(utc(2027, 3, 27, 12, 31) + timedelta(hours=hours))
        home.run()
    spring = [run for run in runs(home) if run.due.day >= date(2027, 3, 28)]

    assert autumn == [
        (date(2026, 10, 24), utc(2026, 10, 24, 0, 30)),
        (date(2026, 10, 25), utc(2026, 10, 25, 0, 30)),
        (date(2026, 10, 26), utc(2026, 10, 26, 1, 30)),
    ]
    assert [(run.due.day, run.due.at, run.due.moved) for run in spring] == [
        (date(2027, 3, 28), utc(2027, 3, 28, 1, 30), "gap"), (date(2027, 3, 29), utc(2027, 3, 29, 0, 30), None)
    ]  # fmt: skip
    assert home.verify() == []


@pytest.mark.case("T13")
def test_a_machine_that_is_off_every_night_sweeps_at_each_start_and_says_how_late(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 20))
    set_time(home, "03:00", "Europe/London")

    for day in range(21, 28):
        home = home.at(utc(2026, 8, day, 7))
        home.run()
        home.run()

    found = runs(home)
    assert [run.due.day for run in found] == [date(2026, 8, day) for day in range(21, 28)]
    assert {(run.late, run.missed) for run in found} == {(timedelta(hours=5), 0)}
    assert all(run.ended_at is not None for run in found)
    done = home.audit("duty_done")
    assert [(one["day"], one["late_s"]) for one in done] == [(f"2026-08-{day}", 18_000) for day in range(21, 28)]


def test_days_on_which_nobody_was_there_are_made_up_for_once_and_counted(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 20))
    set_time(home, "03:00", "Europe/London")

    home = home.at(utc(2026, 8, 27, 7))
    home.run()

    ((only),) = runs(home)
    assert (only.due.day, only.missed) == (date(2026, 8, 27), 6)
    assert next_at(home) == utc(2026, 8, 28, 2)


@pytest.mark.case("T14")
def test_a_weekly_item_that_came_due_while_the_service_was_down_runs_once_and_its_day_stays(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 17, 6))
    set_time(home, "09:00", "Europe/London", "monday")

    home = home.at(utc(2026, 8, 17, 8, 10))
    home.run()
    home.run()

    ((only),) = runs(home)
    assert (only.due.at, only.late) == (utc(2026, 8, 17, 8), timedelta(minutes=10))
    assert next_at(home) == utc(2026, 8, 24, 8)


def test_nothing_runs_before_its_time_nor_after_it_was_switched_off(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 20))
    due = set_time(home, "03:00", "Europe/London")
    home = home.at(due - timedelta(seconds=1))
    home.run()
    early = runs(home)

    actor = home.actor
    home.app.act(actor, "duty off", lambda tx: switch_duty_off(tx, actor, NAME))
    home = home.at(due + timedelta(days=2))
    home.run()

    assert (early, runs(home), next_at(home)) == ([], [], None)


def test_a_day_that_had_its_run_has_no_second_one_under_another_time(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 1))
    home = home.at(set_time(home, "03:00", "Europe/London"))
    home.run()

    assert set_time(home, "19:00", "Europe/London") == utc(2026, 8, 21, 18)
    home = home.at(utc(2026, 8, 20, 20))
    home.run()

    assert [run.due.day for run in runs(home)] == [date(2026, 8, 20)]


def test_a_clock_set_back_runs_no_day_again(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 1))
    due = set_time(home, "03:00", "Europe/London")
    for now in (due, due - timedelta(minutes=2), due, due + timedelta(minutes=1)):
        home = home.at(now)
        home.run()

    assert [run.due.day for run in runs(home)] == [date(2026, 8, 20)]


def test_of_two_workers_one_takes_a_run_and_one_left_by_the_dead_is_done_again(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 1))
    home = home.at(set_time(home, "03:00", "Europe/London"))
    now = home.actor.now

    def take(worker: str, *gone: str) -> list[str]:
        with home.app.write() as tx:
            return [run.name for _, run in take_due(tx, "home", worker, now, is_gone=lambda one: one in gone)]

    assert [take("w-1"), take("w-2"), take("w-2", "w-1"), take("w-3")] == [[NAME], [], [NAME], []]
    ((only),) = runs(home)
    assert (only.tries, only.ended_at) == (2, None)


def test_what_a_duty_meets_is_tried_again_later_and_ends_as_failed_after_the_last_try(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 1))
    due = set_time(home, "03:00", "Europe/London")
    tried = []

    def breaks(tenant: TenantRow, now: datetime) -> Mapping[str, Json]:
        tried.append(now)
        raise OSError("no room")

    duties = Duties(home.app.parts, {NAME: breaks}, "w-1")
    with home.app.read() as conn:
        tenant = get_tenant(conn, "home")
    for minutes in range(0, 120):
        duties.run_due(tenant, due + timedelta(minutes=minutes), lambda _: False)

    ((only),) = runs(home)
    assert [(one - due).total_seconds() / 60 for one in tried] == [0, 1, 11, 71]
    assert (only.failed, only.tries, only.ended_at is not None) == ("OSError", 4, True)
    assert len(home.audit("duty_failed")) == 4


def test_a_duty_that_the_loaded_code_does_not_know_stops_no_other_work(tmp_path: Path) -> None:
    home = begin(tmp_path, FIXTURE_START)
    home.add_role()
    home.change(
        "INSERT INTO duties (tenant_id, name, at_time, zone, next_day, next_at, set_by, set_at) VALUES "
        "('home', 'of-tomorrow', '03:00', 'UTC', '2026-08-20', '2026-08-20T03:00:00.000Z', 'x', "
        "'2026-08-20T03:00:00.000Z')"
    )
    one = home.apply()

    home.run()

    assert home.ending(one)[0] == "awaiting_review"
    assert [(run.name, run.failed) for run in runs(home)] == [("of-tomorrow", "unknown_duty")]


def test_the_sweep_deletes_memory_whose_time_has_come_and_nothing_else(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 9))
    home.add_role()
    thread_id = home.apply()
    home.run()
    home.decide(thread_id, "reject")
    home.run()
    kept = home.look("SELECT id, expires_at FROM memories")
    home.change("UPDATE memories SET expires_at = '2026-08-20T12:00:00.000Z'")
    second = home.apply("Ben Example", "ben@example.com")
    home.run()
    home.decide(second, "reject")
    home.run()
    set_time(home, "03:00", "Europe/London")

    home = home.at(utc(2026, 8, 21, 2))
    home.run()

    left = [row[0] for row in home.look("SELECT id FROM memories")]
    ((only),) = runs(home)
    assert (len(kept), len(left), only.result) == (1, 1, {"deleted": 1})
    assert kept[0][0] not in left
    assert home.verify() == []


def test_only_an_owner_sets_a_duty_that_there_is(tmp_path: Path) -> None:
    home = begin(tmp_path, FIXTURE_START)
    reviewer, rule = home.add_person("rae@example.com").actor, read_rule("07:00", "UTC")
    owner = home.actor

    with pytest.raises(NotAllowed):
        home.app.act(reviewer, "duty set", lambda tx: set_duty_time(tx, reviewer, NAME, rule))
    with pytest.raises(NotFound, match="memory-sweep"):
        home.app.act(owner, "duty set", lambda tx: set_duty_time(tx, owner, "memory-sweeep", rule))
    with pytest.raises(NotAllowed):
        home.app.act(reviewer, "duty off", lambda tx: switch_duty_off(tx, reviewer, NAME))
    assert home.look("SELECT count(*) FROM duties") == [(0,)]


def test_another_tenant_s_duty_is_its_own(tmp_path: Path) -> None:
    home = begin(tmp_path, utc(2026, 8, 20, 1))
    other = home.add_tenant("other")
    set_time(other, "03:00", "Europe/London")

    home = home.at(utc(2026, 8, 20, 3))
    home.run()

    assert runs(home) == []
    assert runs(Home(home.app, "other")) == []  # this worker is kept to one tenant
    Home(home.app, "other").run()
    assert [run.due.day for run in runs(Home(home.app, "other"))] == [date(2026, 8, 20)]


def test_commands_set_show_and_tell_why_a_time_moved(at: CommandLine) -> None:
    at.set(DAYBOOK_NOW="2027-03-26T12:00:00Z")
    shown = at.read("duty", "next", NAME, "--at", "02:30", "--zone", "Europe/Berlin")["next"]
    assert at.read("duty", "list")[0]["next"] is None
    assert [(one["day"], one["at"]) for one in shown if one["why"]] == [("2027-03-28", "2027-03-28T01:30:00Z")]

    at.read("duty", "set", NAME, "--at", "02:30", "--zone", "Europe/Berlin", *AS)
    at.set(DAYBOOK_NOW="2027-03-28T07:00:00Z")
    at.run("worker", "--until-idle")

    assert at.read("duty", "list")[0]["next"] == "2027-03-29T00:30:00Z"
    assert at.say("duty", "runs", NAME).out.strip() == (
        "2027-03-28; 5 h 30 min late; 1 days before it were missed; deleted: 0. 02:30 does not exist on 2027-03-28: "
        "the clocks go forward, so it is due at 03:30."
    )
    assert at.read("duty", "off", NAME, *AS)["was_on"]
    assert at.read("duty", "list")[0]["next"] is None
