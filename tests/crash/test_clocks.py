"""Clocks that go back, machines that sleep, nights on which the clock changes; restarts in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.views.health import find_overdue
from core.views.sentence import say_time
from tests.crash.processes import KILLED, Nursery, Signals
from tests.crash.records import assert_clean, attempts, letters, thread
from tests.homes import Home, open_home

WINDOW = timedelta(hours=48)
OFFSET = timedelta(hours=24)
TIMERS = "SELECT id, wake_at, until_at, since_at, checkpoint, signals FROM threads ORDER BY id"


class Days:
    """A home that is closed and opened again as time passes, forwards or back."""

    def __init__(self, folder: Path, start: datetime) -> None:
        self.home = open_home(folder, now=start)
        self.home.add_role()

    @property
    def now(self) -> datetime:
        return self.home.actor.now

    def at(self, now: datetime) -> Home:
        """Be at this time, and let a worker do what is due."""
        self.home = self.home.at(now)
        self.home.run()
        return self.home

    def invite(self, count: int = 1) -> list[str]:
        """Invite so many people now; their windows begin now."""
        known = len(self.home.look("SELECT id FROM threads"))
        ids = [self.home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(known, known + count)]
        self.home.run()
        for one in ids:
            self.home.decide(one)
        self.home.run()
        return ids

    def reminders(self) -> dict[str, int]:
        return {key.removesuffix("/reminder"): n for key, n in letters(self.home).items() if key.endswith("/reminder")}


@pytest.fixture
def days(tmp_path: Path) -> Iterator[Callable[[datetime], Days]]:
    opened: list[Days] = []

    def begin(start: datetime) -> Days:
        opened.append(Days(tmp_path / "home", start))
        return opened[-1]

    yield begin
    for one in opened:
        one.home.app.close()


Begin = Callable[[datetime], Days]


@pytest.mark.case("T09")
def test_a_clock_set_back_two_minutes_sends_each_reminder_once_when_it_is_due_again(days: Begin) -> None:
    sent = datetime(2026, 8, 20, 9, tzinfo=UTC)
    story = days(sent)
    ids = story.invite(3)
    due = sent + WINDOW - OFFSET

    for seconds in (-30, -150, -1):
        story.at(due + timedelta(seconds=seconds))
        assert story.reminders() == {}
    story.at(due)
    story.at(due - timedelta(minutes=2))
    story.at(due + timedelta(seconds=1))

    assert story.reminders() == dict.fromkeys(ids, 1)
    assert {(thread(story.home, one).status, thread(story.home, one).wake_at) for one in ids} == {
        ("waiting", sent + WINDOW)
    }
    assert attempts(story.home) == []
    assert_clean(story.home)


@pytest.mark.case("T12")
def test_a_machine_that_slept_over_a_reminder_sends_it_once_and_says_how_late(days: Begin) -> None:
    woken = datetime(2026, 8, 20, 8, 30, tzinfo=UTC)
    story = days(datetime(2026, 8, 18, 5, tzinfo=UTC))
    (over,) = story.invite()
    story.at(datetime(2026, 8, 19, 3, tzinfo=UTC))
    (open_,) = story.invite()
    story.at(datetime(2026, 8, 19, 5, tzinfo=UTC))
    story.at(datetime(2026, 8, 20, 1, tzinfo=UTC))
    before = story.reminders()

    story.at(woken)
    story.at(woken + timedelta(minutes=1))

    assert (before, story.reminders()) == ({over: 1}, {over: 1, open_: 1})
    assert (thread(story.home, over).status, thread(story.home, over).outcome) == ("completed", "expired")
    assert story.home.summaries(open_)["reminder"] == "5 h 30 min late, 18 h 30 min before the deadline."
    assert_clean(story.home)


@pytest.mark.case("R06")
def test_a_worker_that_was_down_from_before_the_reminder_until_after_the_deadline_reminds_nobody(
    days: Begin,
) -> None:
    sent = datetime(2026, 8, 20, 9, tzinfo=UTC)
    story = days(sent)
    (one,) = story.invite()

    home = story.at(sent + WINDOW + timedelta(hours=2))

    assert story.reminders() == {}
    assert (thread(home, one).outcome, home.summaries(one)["reminder"]) == (
        "expired", "Skipped: the deadline had passed.",
    )  # fmt: skip
    assert_clean(home)


@pytest.mark.case("T06")
def test_a_window_is_forty_eight_elapsed_hours_over_the_night_the_clock_goes_back(days: Begin) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    story = days(datetime(2026, 10, 24, 9, tzinfo=berlin))
    (one,) = story.invite()
    waiting = thread(story.home, one)

    assert waiting.wake_at == datetime(2026, 10, 25, 7, tzinfo=UTC)
    assert waiting.until_at == datetime(2026, 10, 26, 7, tzinfo=UTC)
    assert [say_time(at, berlin) for at in (waiting.wake_at, waiting.until_at)] == [
        "Sun 25 Oct 08:00 CET", "Mon 26 Oct 08:00 CET",
    ]  # fmt: skip
    story.at(datetime(2026, 10, 25, 6, 59, 59, tzinfo=UTC))
    assert story.reminders() == {}
    story.at(datetime(2026, 10, 25, 7, tzinfo=UTC))
    assert story.reminders() == {one: 1}
    assert thread(story.at(datetime(2026, 10, 26, 6, 59, 59, tzinfo=UTC)), one).status == "waiting"
    assert thread(story.at(datetime(2026, 10, 26, 7, tzinfo=UTC)), one).outcome == "expired"


@pytest.mark.crash
@pytest.mark.seed("screen.story.restart", "screen.question.2")
@pytest.mark.case("J04")
def test_five_restarts_leave_forty_timers_as_they_were(days: Begin, nursery: Nursery, signals: Signals) -> None:
    story = days(datetime(2026, 8, 20, 9, tzinfo=UTC))
    ids = story.invite(40)
    before = story.home.look(TIMERS)
    for _ in range(5):
        worker = nursery.start("serve", story.home, signals=str(signals.folder))
        signals.wait_reached()
        worker.kill()
        assert worker.wait() == KILLED
        assert story.home.look(TIMERS) == before

    story.at(story.now + OFFSET)

    assert len(before) == 40
    assert story.reminders() == dict.fromkeys(ids, 1)
    assert_clean(story.home)


@pytest.mark.crash
@pytest.mark.case("T16")
def test_another_zone_moves_no_timer(days: Begin, nursery: Nursery, signals: Signals) -> None:
    story = days(datetime(2026, 8, 20, 9, tzinfo=UTC))
    ids = story.invite(40)
    before = story.home.look(TIMERS)
    for zone in ("Europe/London", "Asia/Kolkata"):
        worker = nursery.start("serve", story.home, signals=str(signals.folder), zone=zone)
        signals.wait_reached()
        worker.kill()
        worker.wait()
        assert story.home.look(TIMERS) == before
    until = thread(story.home, ids[0]).until_at

    story.home = story.home.at(story.now + OFFSET)
    nursery.start("work", story.home, zone="Asia/Kolkata").finish()

    assert story.reminders() == dict.fromkeys(ids, 1)
    assert [say_time(until, ZoneInfo(zone)) for zone in ("Europe/London", "Asia/Kolkata")] == [
        "Sat 22 Aug 10:00 BST", "Sat 22 Aug 14:30 IST",
    ]  # fmt: skip


@pytest.mark.case("T19")
def test_a_thread_twenty_hours_overdue_shows_before_a_worker_starts_and_is_resumed_once(days: Begin) -> None:
    story = days(datetime(2026, 8, 20, 9, tzinfo=UTC))
    (one,) = story.invite()
    due = story.now + OFFSET
    story.home = story.home.at(due + timedelta(hours=20))

    with story.home.app.read() as conn:
        overdue = find_overdue(conn, story.home.tenant_id, story.now)
    assert (overdue.count, overdue.oldest_at) == (1, due)

    story.home.run()
    story.home.run()

    assert story.reminders() == {one: 1}
    with story.home.app.read() as conn:
        assert find_overdue(conn, story.home.tenant_id, story.now).count == 0
    carried_out = "SELECT count(*) FROM checkpoints WHERE step = 'reminder' AND next_step = 'booking'"
    assert (story.home.look(carried_out), attempts(story.home)) == ([(1,)], [])
