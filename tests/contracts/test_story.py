"""One applicant's three days, and every way in which they may go differently. Told by letters, rows and endings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.clock import iso
from core.desk.decisions import Answer
from core.errors import AlreadyReleased, BadInput, PayloadMismatch
from core.views.queue import list_late_events, list_queue
from core.views.sentence import sentence
from tests.contracts.screened import (
    APPLIED,
    APPROVED,
    DEADLINE,
    HOLD,
    NAMELESS,
    REMINDER,
    SECOND,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
    sent_at,
)
from tests.homes import ROLE, ROLE_FILE, Home, open_home


@pytest.mark.seed("screen.story.day-1-17-00")
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
        late = [(one.thread_id, one.name) for one in list_late_events(conn, home.tenant_id)]
    assert (stored.late, late, home.ending(THREAD)) == (True, [(THREAD, "booking")], ("completed", "expired"))


def test_a_booking_in_time_is_not_shown_as_late(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.book(THREAD)
    home.run()
    with home.app.read() as conn:
        assert list_late_events(conn, home.tenant_id) == []


def test_a_booking_received_while_no_worker_ran_counts_by_when_it_came(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE - SECOND)
    home.book(THREAD)
    home = home.at(DEADLINE + timedelta(hours=3))
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "booked"), ["invite"])


def test_who_withdraws_before_the_invite_gets_no_letter_and_no_question_stands(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    home.tell(THREAD, "withdraw")
    home.run()
    with home.app.read() as conn:
        queue = list_queue(conn, home.app.vault, home.tenant_id)
    assert (home.ending(THREAD), letters_of(home), list(queue)) == (("completed", "withdrawn"), [], [])
    assert home.question(THREAD).status == "withdrawn"


def test_who_withdraws_after_the_invite_is_not_reminded(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.tell(THREAD, "withdraw", {"reason": "I took another offer."})
    home.run()
    home = home.at(DEADLINE)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "withdrawn"), ["invite"])


def test_who_withdraws_in_the_hold_gets_no_letter_and_the_held_answer_is_withdrawn(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.tell(THREAD, "withdraw")
    home.run()
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "withdrawn"), [])
    assert home.question(THREAD).status == "withdrawn"


@pytest.mark.parametrize("act", ["undo", "release", "amend"])
def test_nothing_brings_an_ended_thread_back(tmp_path: Path, act: str) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.tell(THREAD, "withdraw")
    home.run()
    if act == "amend":
        home.amend(THREAD, name="Anne Example")
    else:
        with pytest.raises(BadInput):
            getattr(home, act)(THREAD)
    home = home.at(DEADLINE)
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "withdrawn"), [])


def test_an_answer_undone_inside_the_hold_sends_nothing_and_the_question_stands_again(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    seen = home.decide(THREAD).version
    undone = home.at(APPROVED + HOLD - SECOND).undo(THREAD)
    home.run()
    home = home.at(APPROVED + HOLD + SECOND)
    home.run()
    assert (undone.status, undone.version > seen, letters_of(home)) == ("pending", True, [])
    assert (home.ending(THREAD), home.question(THREAD).status) == (("awaiting_review", None), "pending")


def test_an_answer_given_again_after_an_undo_sends_one_letter(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.undo(THREAD)
    home.run()
    home.decide(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), sent_at(home, "invite")) == (["invite"], APPROVED + HOLD)


def test_an_answer_turned_round_after_an_undo_sends_the_other_letter_only(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.undo(THREAD)
    home.run()
    home.decide(THREAD, "reject")
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["decline"], ("rejected", "declined"))


def test_an_undo_after_the_release_is_refused_with_the_time(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()
    with pytest.raises(AlreadyReleased, match="released 2026-08-19T09:15:00Z"):
        home.undo(THREAD)
    assert letters_of(home) == ["invite"]


def test_a_hold_that_is_over_can_still_be_undone_until_the_letter_has_left(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home = home.at(APPROVED + HOLD + SECOND)
    home.undo(THREAD)
    home.run()
    assert (letters_of(home), home.question(THREAD).status) == ([], "pending")


def test_a_hold_ended_by_hand_sends_at_once(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.release(THREAD)
    home.run()
    assert (letters_of(home), sent_at(home, "invite")) == (["invite"], APPROVED)


def test_there_is_no_hold_to_end_before_an_answer_or_after_the_release(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    with pytest.raises(BadInput, match="nothing to release"):
        home.release(THREAD)
    home.decide(THREAD)
    home.release(THREAD)
    home.run()
    with pytest.raises(AlreadyReleased):
        home.release(THREAD)


def test_a_missing_address_is_asked_for_before_the_letter_and_the_letter_goes_there(tmp_path: Path) -> None:
    home = day_one(tmp_path, cv=NAMELESS, email="").at(APPROVED)
    assert home.question(THREAD).kind == "address"
    home.decide(THREAD, email="ann@example.org")
    home.run()
    asked = home.question(THREAD)
    assert (asked.kind, asked.status, letters_of(home)) == ("review", "pending", [])
    home.decide(THREAD)
    home.run()
    assert {name: str(letter["To"]) for name, letter in home.mail(THREAD).items()} == {"invite": "ann@example.org"}


@pytest.mark.parametrize("fields", [{"email": "not an address"}, {"email": ""}, {"email": 7}, {}, {"phone": "1"}])
def test_an_answer_that_is_no_address_is_refused_and_the_question_stays(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    home = day_one(tmp_path, cv=NAMELESS, email="").at(APPROVED)
    before = home.question(THREAD)
    with pytest.raises(BadInput):
        home.decide(THREAD, **fields)
    home.run()
    assert home.question(THREAD) == before


def test_who_has_no_address_and_is_closed_gets_no_letter(tmp_path: Path) -> None:
    home = day_one(tmp_path, cv=NAMELESS, email="").at(APPROVED)
    home.decide(THREAD, "reject")
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("rejected", "declined"), [])


def with_settings(folder: Path, **settings: int) -> Home:
    """Open a home whose role has other settings, with one approved applicant."""
    home = open_home(folder / "home", now=APPLIED)
    contents = read_role(ROLE_FILE.read_text(), ROLE_FILE.name).contents
    contents = {**contents, "role": {**contents["role"], **settings}}
    with home.app.write() as tx:
        add_role(tx, home.tenant_id, ROLE, contents, by=home.actor.member.id, now=APPLIED)
    home.apply()
    home.run()
    home = home.at(APPROVED)
    home.decide(THREAD)
    home.run()
    return home


@pytest.mark.parametrize("window", [20, 24])
def test_a_window_that_is_no_longer_than_the_reminder_s_offset_has_no_reminder(tmp_path: Path, window: int) -> None:
    home = with_settings(tmp_path, window_hours=window)
    assert letters_of(home) == ["invite"]
    home = home.at(APPROVED + timedelta(hours=window))
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "expired"), ["invite"])
    assert home.summaries(THREAD)["reminder"] == "No reminder: the window is shorter than the offset."


def test_a_window_of_thirty_six_hours_is_the_same_in_the_letter_the_page_and_the_row(tmp_path: Path) -> None:
    home = with_settings(tmp_path, window_hours=36)
    thread = home.thread(THREAD).thread
    assert thread.until_at == APPROVED + timedelta(hours=36)
    assert "within 36 hours of this letter" in " ".join(home.mail(THREAD)["invite"].get_content().split())
    assert "until Thu 20 Aug 22:00 BST" in sentence(thread, home.app.zone)
    home = home.at(APPROVED + timedelta(hours=12))
    home.run()
    assert sent_at(home, "reminder") == APPROVED + timedelta(hours=12)


def test_an_offset_of_one_hour_reminds_one_hour_before(tmp_path: Path) -> None:
    home = with_settings(tmp_path, reminder_hours=1).at(DEADLINE - timedelta(hours=1))
    home.run()
    assert sent_at(home, "reminder") == DEADLINE - timedelta(hours=1)


def test_a_question_is_due_when_its_role_says_and_being_due_decides_nothing(tmp_path: Path) -> None:
    home = with_settings(tmp_path, question_due_hours=12)
    assert home.question(THREAD).due_at == APPLIED + timedelta(hours=12)


@pytest.mark.seed("screen.story.restart")
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
