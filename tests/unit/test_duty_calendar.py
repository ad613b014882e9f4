"""When a local time comes, day by day, also on the days on which the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.duties.calendar import Rule, due_on, list_dues, next_due, preview, read_rule, say_moved, say_rule
from core.errors import BadInput

ZONES = (
    "Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kolkata",
    "Africa/Casablanca", "Pacific/Apia", "Antarctica/Troll", "UTC",
)  # fmt: skip


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.case("T01")
def test_after_the_sweep_of_the_day_the_clocks_went_forward_the_next_is_the_day_after():
    midnight = read_rule("00:00", "America/Los_Angeles")
    ran = datetime(2022, 3, 13, 0, 0, 7, tzinfo=ZoneInfo(midnight.zone))

    due = next_due(midnight, ran, date(2022, 3, 13))

    assert (due.day, due.at) == (date(2022, 3, 14), utc(2022, 3, 14, 7))


@pytest.mark.case("T02")
def test_a_weekly_time_stays_the_same_on_the_wall_when_the_clocks_go_forward():
    tuesdays = read_rule("16:00", "Europe/Brussels", "tuesday")
    ran = next_due(tuesdays, utc(2019, 3, 25, 12))

    due = next_due(tuesdays, ran.at, ran.day)

    assert [ran.at, due.at] == [utc(2019, 3, 26, 15), utc(2019, 4, 2, 14)]


@pytest.mark.case("T03")
@pytest.mark.parametrize(
    ("day", "at", "moved"),
    [
        (date(2026, 10, 24), utc(2026, 10, 24, 0, 30), None),
        (date(2026, 10, 25), utc(2026, 10, 25, 0, 30), "fold"),
        (date(2027, 3, 28), utc(2027, 3, 28, 1, 30), "gap"),
        (date(2027, 3, 29), utc(2027, 3, 29, 0, 30), None),
    ],
)
def test_a_time_that_comes_twice_counts_once_and_one_that_does_not_come_is_moved_on_the_same_day(
    day: date, at: datetime, moved: str | None
):
    rule = read_rule("02:30", "Europe/Berlin")

    due = due_on(rule, day)

    assert due is not None
    assert (due.at, due.moved) == (at, moved)
    assert due.at.astimezone(ZoneInfo(rule.zone)).date() == day
    assert (say_moved(rule, due) is not None) == (moved is not None)


def test_why_a_time_moved_is_said():
    rule = read_rule("02:30", "Europe/Berlin")
    gap, fold = due_on(rule, date(2027, 3, 28)), due_on(rule, date(2026, 10, 25))

    assert gap is not None
    assert fold is not None
    assert say_moved(rule, gap) == ("02:30 does not exist on 2027-03-28: the clocks go forward, so it is due at 03:30.")
    assert say_moved(rule, fold) == "02:30 comes twice on 2026-10-25: the clocks go back, and the first counts."


@pytest.mark.case("T05")
def test_an_ambiguous_hour_ahead_is_one_of_the_next_seven_and_stands_there_once():
    rule = read_rule("02:00", "Europe/Copenhagen")

    dues = preview(rule, utc(2026, 10, 22, 10))

    assert [due.day for due in dues] == [date(2026, 10, 23) + timedelta(days=n) for n in range(7)]
    assert [due.day for due in dues if due.moved] == [date(2026, 10, 25)]


def test_a_day_that_a_zone_left_out_has_no_due():
    rule = read_rule("12:00", "Pacific/Apia")

    assert due_on(rule, date(2011, 12, 30)) is None
    days = [due.day for due in islice(list_dues(rule, date(2011, 12, 28)), 2)]
    assert days == [date(2011, 12, 29), date(2011, 12, 31)]


@given(
    zone=st.sampled_from(ZONES), at=st.times(), start=st.dates(date(2000, 1, 1), date(2036, 1, 1)),
    weekday=st.none() | st.integers(0, 6),
)  # fmt: skip
def test_every_day_of_a_calendar_has_one_due_in_its_order(zone: str, at: time, start: date, weekday: int | None):
    rule = Rule(at.replace(second=0, microsecond=0, tzinfo=None), zone, weekday)

    dues = list(islice(list_dues(rule, start), 60))

    assert all(due.at.astimezone(ZoneInfo(zone)).date() == due.day for due in dues)
    assert all(before.at < after.at for before, after in pairwise(dues))
    left_out = {timedelta(days=1)} if weekday is None else {timedelta(days=7)}
    apart = {after.day - before.day for before, after in pairwise(dues)}
    assert apart == left_out or zone == "Pacific/Apia"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("25:00", "Europe/London"), "no time of day"),
        (("7", "Europe/London"), "no time of day"),
        (("07:30", "Europe/Nowhere"), "no time zone"),
        (("07:30", "/etc/passwd"), "no time zone"),
        (("07:30", "Europe/London", "someday"), "no day of the week"),
    ],
)
def test_what_is_no_rule_is_refused(typed: tuple[str, ...], said: str):
    with pytest.raises(BadInput, match=said):
        read_rule(*typed)


def test_a_rule_is_said_in_words():
    assert say_rule(read_rule("7:05", "Europe/London")) == "every day at 07:05, Europe/London"
    assert say_rule(read_rule("16:00", "UTC", "Tuesday")) == "every Tuesday at 16:00, UTC"
