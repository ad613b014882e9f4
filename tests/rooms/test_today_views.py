"""Every figure of the front page against the rows it stands for, and beside each what it must not count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from core.clock import FIXTURE_START
from core.review.sittings import sit
from core.views.queue import list_left_over, list_queue
from core.views.sitting import list_held
from core.views.today import SHOWN, Place, Today, find_last_sitting, page_count, read_today
from tests.homes import Home, open_home

HOUR = timedelta(hours=1)
MOST_STATEMENTS = 4


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = open_home(tmp_path / "home", hold_seconds=900)
    opened.add_role()
    yield opened
    opened.app.close()


def today(home: Home, **place: Any) -> Today:
    """Read the front page of a home at its own time."""
    with home.app.read() as conn:
        return read_today(conn, home.app.vault, home.tenant_id, home.actor.now, Place(**place))


@contextmanager
def counted(home: Home) -> Iterator[list[str]]:
    said: list[str] = []

    def note(_conn: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if not statement.startswith("BEGIN"):
            said.append(statement)

    event.listen(home.app.store.engine, "before_cursor_execute", note)
    yield said
    event.remove(home.app.store.engine, "before_cursor_execute", note)


def screened(home: Home, *names: str) -> list[str]:
    """Take applications and let them be screened."""
    ids = [home.apply(f"{name} Example", f"{name.lower()}@example.com") for name in names]
    home.run()
    return ids


def invited(home: Home, name: str = "Ann") -> str:
    """Bring one application to where it waits for a booking."""
    (thread_id,) = screened(home, name)
    home.decide(thread_id, "approve")
    home.release(thread_id)
    home.run()
    return thread_id


def test_what_waits_is_what_the_queue_lists_and_what_is_answered_is_not(home: Home) -> None:
    ann, ben, _ = screened(home, "Ann", "Ben", "Cy")
    home.decide(ann, "approve")

    seen = today(home)

    with home.app.read() as conn:
        queue = list_queue(conn, home.app.vault, home.tenant_id)
        held = list_held(conn, home.app.vault, home.tenant_id)
    assert {one.detail for one in seen.waiting} == {one.id for one in queue}
    assert (seen.figures.waiting, seen.figures.held) == (len(queue), len(held)) == (2, 1)
    assert seen.figures.due_soonest_at == min(one.due_at for one in queue)
    assert seen.waiting[0].name == "Ben Example"
    assert seen.waiting[0].thread_id == ben


def test_what_came_back_is_what_was_asked_or_answered_before(home: Home) -> None:
    ann, ben = screened(home, "Ann", "Ben")
    home.decide(ann, "approve")
    home.undo(ann)
    home.run()

    seen = today(home)

    assert seen.figures.came_back == 1
    assert {one.thread_id: one.version > 1 for one in seen.waiting} == {ann: True, ben: False}


def test_a_question_is_past_due_from_its_hour_on_and_not_before(home: Home) -> None:
    screened(home, "Ann")

    before = today(home.at(FIXTURE_START + 47 * HOUR))
    after = today(home.at(FIXTURE_START + 48 * HOUR))

    assert (before.figures.past_due, after.figures.past_due) == (0, 1)


def test_a_hold_a_reminder_and_a_window_fire_next_and_a_question_does_not(home: Home) -> None:
    ann = invited(home)
    ben, _ = screened(home, "Ben", "Cy")
    home.decide(ben, "reject")

    seen = today(home)

    assert [(one.at - FIXTURE_START, one.thread_id, one.what, one.detail) for one in seen.fires] == [
        (timedelta(minutes=15), ben, "hold", "the decision is carried out"),
        (24 * HOUR, ann, "timer", "a reminder goes"),
        (48 * HOUR, ann, "window", "booking or withdraw"),
    ]
    assert seen.figures.fires == 3
    assert seen.figures.next_at == FIXTURE_START + timedelta(minutes=15)


def test_nothing_beyond_48_hours_and_nothing_that_is_over_fires_next(home: Home) -> None:
    ann = invited(home)
    home.change("UPDATE threads SET until_at = '2026-08-22T09:00:00.001Z'")
    beyond = [one.what for one in today(home).fires]
    home.book(ann)
    home.run()

    assert beyond == ["timer"]
    assert today(home).fires == []


def test_a_failed_step_fires_next_as_its_next_try(home: Home) -> None:
    screened(home, "Ann")
    home.change("UPDATE threads SET status = 'ready', tries = 2, wake_at = '2026-08-20T09:05:00.000Z'")

    assert [one.what for one in today(home).fires] == ["retry"]


def test_lately_holds_what_left_and_what_ended_in_a_day_and_nothing_older(home: Home) -> None:
    ann = invited(home)
    home.book(ann)
    (ben,) = screened(home, "Ben")
    home.decide(ben, "reject")
    home.release(ben)
    home.run()

    seen = today(home)
    later = today(home.at(FIXTURE_START + 24 * HOUR))

    assert dict(seen.figures.lately) == {"mail": 2, "booked": 1, "declined": 1}
    assert {(one.thread_id, one.what, one.detail) for one in seen.lately} == {
        (ann, "mail", f"{ann}/invite"),
        (ann, "booked", None),
        (ben, "mail", f"{ben}/decline"),
        (ben, "declined", None),
    }
    assert (dict(later.figures.lately), later.lately) == ({}, [])


def test_news_begin_where_a_sitting_ended_and_a_week_back_at_the_most(home: Home) -> None:
    ann = invited(home)
    home.book(ann)
    home.run()
    later = home.at(FIXTURE_START + 48 * HOUR)

    before, after = today(later, since=FIXTURE_START - HOUR), today(later, since=FIXTURE_START + HOUR)

    assert (dict(before.figures.lately), dict(after.figures.lately)) == ({"mail": 1, "booked": 1}, {})
    assert today(later, since=FIXTURE_START - 400 * HOUR).since == FIXTURE_START - 120 * HOUR


def test_a_sitting_that_is_over_is_found_for_its_person_and_for_nobody_else(home: Home) -> None:
    bea = home.add_person("bea@example.com")
    with home.app.write() as tx:
        sit(tx, home.tenant_id, home.actor.member.id, FIXTURE_START)

    def found(who: Home, at: datetime) -> datetime | None:
        with home.app.read() as conn:
            return find_last_sitting(conn, home.tenant_id, who.actor.member.id, at)

    assert found(home, FIXTURE_START + 0.4 * HOUR) is None
    assert found(home, FIXTURE_START + 0.5 * HOUR) == FIXTURE_START
    assert found(bea, FIXTURE_START + HOUR) is None


def test_an_expired_invite_shows_lately(home: Home) -> None:
    invited(home)
    after = home.at(FIXTURE_START + 48 * HOUR)
    after.run()

    assert today(after).figures.lately["expired"] == 1


def test_a_late_event_waits_for_a_person_and_one_in_time_does_not(home: Home) -> None:
    ann, ben = invited(home, "Ann"), invited(home, "Ben")
    home.book(ben)
    home.run()
    late = home.at(FIXTURE_START + 49 * HOUR)
    late.run()
    late.book(ann)

    seen = today(late)

    with late.app.read() as conn:
        events = list_left_over(conn, late.tenant_id)
    assert seen.figures.left_over == len(events) == 1
    assert [(one.thread_id, one.what) for one in seen.left_over] == [(ann, "booking")]


def test_a_parked_thread_is_wrong_and_one_that_was_retried_is_not(home: Home) -> None:
    ann, _ = screened(home, "Ann", "Ben")
    home.park(ann)
    parked = today(home)
    home.retry(ann)
    home.run()

    assert (parked.figures.parked, [(one.thread.id, one.name) for one in parked.parked]) == (1, [(ann, "Ann Example")])
    assert today(home).figures.parked == 0


def test_an_effect_is_wrong_while_nobody_knows_of_it_and_not_when_it_is_done(home: Home) -> None:
    ann = invited(home)
    done = today(home)
    home.change("UPDATE effects SET status = 'unknown', result_ref = NULL, done_at = NULL WHERE status = 'done'")

    seen = today(home)

    assert done.figures.unknown == 0
    assert (seen.figures.unknown, [one.detail for one in seen.unknown]) == (1, [f"{ann}/invite"])


def test_a_thread_is_overdue_after_thirty_seconds_and_not_while_a_worker_has_it(home: Home) -> None:
    ann = home.apply()
    fresh = today(home.at(FIXTURE_START + timedelta(seconds=29)))
    stale = today(home.at(FIXTURE_START + timedelta(seconds=30)))
    home.at(FIXTURE_START + HOUR).change("UPDATE threads SET lease_holder = 'w-1'")

    assert (fresh.figures.overdue, stale.figures.overdue) == (0, 1)
    assert [(one.thread_id, one.at) for one in stale.overdue] == [(ann, FIXTURE_START)]
    assert today(home.at(FIXTURE_START + HOUR)).figures.overdue == 0


def test_nothing_of_another_tenant_is_counted_or_listed(home: Home) -> None:
    other = home.add_tenant("other")
    other.add_role()
    invited(other, "Ann")
    screened(other, "Ben")
    other.apply("Cy Example", "cy@example.com")
    ours, theirs = today(home), today(other)

    assert ours == Today(
        since=ours.since,
        figures=ours.figures,
        waiting=[],
        left_over=[],
        fires=[],
        lately=[],
        unknown=[],
        overdue=[],
        parked=[],
    )
    assert (ours.figures.waiting, ours.figures.fires, dict(ours.figures.lately)) == (0, 0, {})
    assert (theirs.figures.waiting, theirs.figures.fires, dict(theirs.figures.lately)) == (1, 2, {"mail": 1})


def test_a_list_is_one_page_of_its_figure_and_a_page_past_the_end_is_the_last(home: Home) -> None:
    ids = screened(home, *(f"Ann{number}" for number in range(SHOWN + 2)))
    for thread_id in ids:
        home.decide(thread_id, "approve")

    first, second, beyond = today(home), today(home, fires=2), today(home, fires=99)

    assert (first.figures.fires, page_count(first.figures.fires)) == (SHOWN + 2, 2)
    assert [one.thread_id for one in [*first.fires, *second.fires]] == ids
    assert beyond.fires == second.fires


def test_the_front_page_takes_few_statements_whatever_there_is(home: Home) -> None:
    invited(home, "Ann")
    ben, _, dee = screened(home, "Ben", "Cy", "Dee")
    home.park(ben)
    home.decide(dee, "reject")

    now = home.actor.now

    with counted(home) as statements, home.app.read() as conn:
        read_today(conn, home.app.vault, home.tenant_id, now, Place())

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_an_erased_person_has_no_name_on_the_front_page(home: Home) -> None:
    (ann,) = screened(home, "Ann")
    home.app.vault.destroy(home.tenant_id, [ann])

    assert [one.name for one in today(home).waiting] == [None]
