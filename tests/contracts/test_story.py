"""One applicant's three days, and every way in which they may go differently. Told by letters, rows and endings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.clock import iso
from core.desk.decisions import Answer
from core.errors import PayloadMismatch
from core.views.queue import list_left_over
from core.views.sentence import sentence
from tests.contracts.screened import (
    APPROVED,
    DEADLINE,
    HOLD,
    REMINDER,
    SECOND,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
    sent_at,
)


@pytest.mark.seed("screen.story.day-1-17-00", "agent.checkpoint.every-step")
def test_an_application_of_fifteen_points_stops_at_the_question(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    question, whole = home.question(THREAD), home.thread(THREAD)
    assert (question.facts["total"], question.facts["band"], question.status) == (15, "12 to 17", "pending")
    assert (whole.thread.status, letters_of(home), home.ledger()) == ("awaiting_review", [], {})
    assert [one.step for one in whole.checkpoints[1:]] == ["intake", "rules", "recall", "score", "route", "review"]


@pytest.mark.seed("screen.story.day-2-09-00")
def test_an_approved_thread_sends_the_invite_and_waits_forty_eight_hours_from_the_send(tmp_path: Path) -> None:
    home = invited(tmp_path)
    thread = home.thread(THREAD).thread
    assert letters_of(home) == ["invite"]
    assert (sent_at(home, "invite"), thread.until_at, thread.wake_at) == (APPROVED, DEADLINE, REMINDER)
    assert (thread.status, thread.wait_events) == ("waiting", ["booking", "withdraw"])


def test_nothing_leaves_before_a_person_answers(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(DEADLINE)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == ([], ("awaiting_review", None))


@pytest.mark.seed("screen.story.day-3-09-00", "screen.story.day-3-11-30")
def test_the_reminder_goes_a_day_before_the_deadline_and_the_booking_ends_the_thread(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.run()
    assert (letters_of(home), sent_at(home, "reminder")) == (["invite", "reminder"], REMINDER)
    home = home.at(REMINDER + timedelta(hours=2, minutes=30))
    home.book(THREAD)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite", "reminder"])
    assert home.summaries(THREAD)["booking"] == "The applicant chose a slot."


def test_the_reminder_does_not_go_one_second_early(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER - SECOND)
    home.run()
    assert letters_of(home) == ["invite"]


def test_a_day_of_fifteen_minute_holds_moves_every_later_hour(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    assert iso(home.decide(THREAD).release_at) == "2026-08-19T09:15:00Z"
    home = home.at(APPROVED + HOLD - SECOND)
    home.run()
    assert letters_of(home) == []
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), sent_at(home, "invite")) == (["invite"], APPROVED + HOLD)
    home = home.at(REMINDER + HOLD - SECOND)
    home.run()
    assert letters_of(home) == ["invite"]
    home = home.at(REMINDER + HOLD)
    home.run()
    assert (letters_of(home), sent_at(home, "reminder")) == (["invite", "reminder"], REMINDER + HOLD)
    assert home.thread(THREAD).thread.until_at == DEADLINE + HOLD


def test_a_held_decision_says_when_it_leaves(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.run()
    thread = home.thread(THREAD).thread
    assert thread.status == "waiting"
    assert (
        sentence(thread, home.app.zone) == "Decided; the decision is carried out Wed 19 Aug 10:15 BST. Undo until then."
    )


def test_a_rejected_applicant_gets_exactly_one_decline(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD, "reject")
    home.run()
    home = home.at(DEADLINE + timedelta(days=30))
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("rejected", "declined"), ["decline"])


@pytest.mark.case("T17")
def test_without_a_booking_the_invite_expires_at_the_deadline_and_not_before(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE - SECOND)
    home.run()
    assert home.ending(THREAD) == ("waiting", None)
    home = home.at(DEADLINE)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "expired"), ["invite", "reminder"])


def test_a_worker_that_slept_past_the_deadline_reminds_nobody(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE + timedelta(hours=2))
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "expired"), ["invite"])
    assert home.summaries(THREAD)["reminder"] == "Skipped: the deadline had passed."


def test_a_worker_that_slept_past_the_reminder_alone_still_reminds_once(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER + timedelta(hours=5))
    home.run()
    home.run()
    assert (letters_of(home), sent_at(home, "reminder")) == (["invite", "reminder"], REMINDER + timedelta(hours=5))


def test_a_booking_before_the_invite_is_kept_and_taken_once_the_thread_waits_for_it(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    home.book(THREAD)
    home.run()
    assert home.ending(THREAD) == ("awaiting_review", None)
    home = home.at(APPROVED)
    home.decide(THREAD)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite"])


def test_a_booking_that_comes_between_the_end_of_a_hold_and_the_worker_is_not_late(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.run()
    home = home.at(APPROVED + HOLD + SECOND)
    assert not home.book(THREAD).late
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite"])


def test_a_booking_before_the_reminder_stops_it(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER - SECOND)
    home.book(THREAD)
    home.run()
    home = home.at(DEADLINE)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite"])
    assert home.summaries(THREAD)["reminder"] == "Not needed."


def test_a_booking_stops_the_reminder_even_when_no_worker_ran_until_it_was_due(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER - SECOND)
    home.book(THREAD)
    home = home.at(REMINDER + SECOND)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite"])


def test_the_same_booking_twice_is_one_booking(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER - SECOND)
    assert [home.book(THREAD).repeated for _ in range(2)] == [False, True]
    home.run()
    assert home.book(THREAD).repeated
    assert [(event.happened.late, event.consumed_by is not None) for event in home.thread(THREAD).events] == [
        (False, True)
    ]


def test_of_two_different_bookings_the_first_to_arrive_counts_and_the_other_is_kept(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER - SECOND)
    home.book(THREAD, "2026-08-27T10:00:00Z")
    home.book(THREAD, "2026-08-28T10:00:00Z")
    home.run()
    first, second = home.thread(THREAD).events
    assert home.ending(THREAD) == ("completed", "booked")
    assert (first.happened.data["slot"], first.consumed_by is not None) == ("2026-08-27T10:00:00Z", True)
    assert (second.happened.data["slot"], second.consumed_by) == ("2026-08-28T10:00:00Z", None)


def test_a_key_that_was_used_for_a_booking_is_refused_for_another_one(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.tell(THREAD, "booking", {"slot": "2026-08-27T10:00:00Z"}, "calendar-7")
    with pytest.raises(PayloadMismatch):
        home.tell(THREAD, "booking", {"slot": "2026-08-28T10:00:00Z"}, "calendar-7")


@pytest.mark.parametrize(
    ("received", "ending", "late"),
    [(DEADLINE - SECOND, "booked", False), (DEADLINE, "expired", True), (DEADLINE + SECOND, "expired", True)],
)
@pytest.mark.parametrize("sweeps_first", [True, False])
@pytest.mark.case("R15")
def test_at_the_deadline_the_booking_and_the_sweep_give_the_same_answer(
    tmp_path: Path, received: datetime, ending: str, late: bool, sweeps_first: bool
) -> None:
    home = invited(tmp_path).at(received)
    if sweeps_first:
        home.run()
    assert home.book(THREAD).late == late
    home.run()
    home = home.at(DEADLINE + timedelta(hours=1))
    home.run()
    assert home.ending(THREAD) == ("completed", ending)


def test_a_late_booking_is_stored_and_shown_in_the_queue(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE)
    home.run()
    stored = home.at(DEADLINE + SECOND).book(THREAD)
    with home.app.read() as conn:
        late = [(one.thread_id, one.name) for one in list_left_over(conn, home.tenant_id)]
    assert (stored.late, late, home.ending(THREAD)) == (True, [(THREAD, "booking")], ("completed", "expired"))


def test_a_booking_in_time_is_not_shown_as_late(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.book(THREAD)
    home.run()
    with home.app.read() as conn:
        assert list_left_over(conn, home.tenant_id) == []


def test_a_booking_received_while_no_worker_ran_counts_by_when_it_came(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE - SECOND)
    home.book(THREAD)
    home = home.at(DEADLINE + timedelta(hours=3))
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite"])


@pytest.mark.seed("screen.story.restart", "screen.question.1", "agent.resume.crash")
def test_every_wait_survives_that_the_home_is_closed_and_opened_in_the_night(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    before = home.thread(THREAD)
    home = home.at(APPROVED - timedelta(hours=6))
    home.run()
    assert home.thread(THREAD) == before


def test_a_window_is_so_many_hours_even_over_the_night_the_clocks_change(tmp_path: Path) -> None:
    sent = datetime(2026, 10, 24, 7, 0, tzinfo=UTC)
    home = day_one(tmp_path).at(sent)
    home.decide(THREAD)
    home.run()
    thread = home.thread(THREAD).thread
    assert (thread.until_at, thread.wake_at) == (sent + timedelta(hours=48), sent + timedelta(hours=24))


def test_an_answer_names_the_version_it_was_given_on(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    question = home.question(THREAD)
    decided = home.answer(question.id, Answer("approve", question.version))
    assert (decided.version, decided.status) == (question.version + 1, "approved")
