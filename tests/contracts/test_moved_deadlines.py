"""A moved deadline takes its reminder along; a letter sent once more has a key and an approval of its own."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.desk.asking import ask_thread, move_deadline
from core.desk.decisions import Answer, ask_again
from core.desk.repairs import park_thread
from core.errors import AlreadyDecided, BadInput, NotAllowed, StaleVersion
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
)
from tests.homes import Home

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def move(home: Home, until: datetime) -> None:
    actor = home.actor
    home.app.act(actor, "deadline", lambda tx: move_deadline(tx, home.app.desk, actor, THREAD, until))
    home.run()


def resend(home: Home) -> None:
    actor = home.actor
    home.app.act(actor, "resend", lambda tx: ask_thread(tx, home.app.desk, actor, THREAD, "resend"))
    home.run()


def again(home: Home) -> None:
    actor = home.actor
    home.app.act(actor, "ask again", lambda tx: ask_again(tx, home.app.desk, actor, THREAD))
    home.run()


def test_the_reminder_follows_a_deadline_that_was_moved(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)

    move(home, DEADLINE + DAY)
    early, due = home.at(REMINDER + SECOND), REMINDER + DAY
    early.run()
    before = letters_of(early)
    home = early.at(due)
    home.run()

    assert (before, letters_of(home)) == (["invite"], ["invite", "reminder"])
    assert home.thread(THREAD).thread.until_at == DEADLINE + DAY
    assert home.audit("asked_of_thread")[-1]["until"] == "2026-08-22T09:00:00Z"


def test_a_booking_counts_until_the_moved_deadline_and_not_after(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    move(home, DEADLINE + DAY)

    home = home.at(DEADLINE + HOUR)
    home.run()
    home.book(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "booked")


def test_a_deadline_moved_after_the_reminder_sends_no_second_one(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.run()

    move(home, DEADLINE + DAY)
    home = home.at(DEADLINE + DAY - SECOND)
    home.run()
    waits = home.ending(THREAD)[0]
    home = home.at(DEADLINE + DAY)
    home.run()

    assert (waits, home.ending(THREAD)) == ("waiting", ("completed", "expired"))
    assert letters_of(home) == ["invite", "reminder"]


def test_a_deadline_moved_so_near_that_its_reminder_is_due_reminds_within_a_minute(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)

    move(home, APPROVED + 3 * HOUR)
    home = home.at(APPROVED + HOUR + timedelta(minutes=1))
    home.run()

    assert letters_of(home) == ["invite", "reminder"]
    assert home.thread(THREAD).thread.until_at == APPROVED + 3 * HOUR


def test_a_deadline_is_not_moved_into_the_past_nor_by_a_viewer_nor_where_nothing_is_waited_for(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)

    with pytest.raises(BadInput, match="has passed"):
        move(home, APPROVED)
    with pytest.raises(NotAllowed):
        move(home.add_person("vera@example.com", "viewer"), DEADLINE + DAY)
    home.book(THREAD)
    home.run()
    with pytest.raises(BadInput, match="has ended"):
        move(home, DEADLINE + DAY)

    assert home.look("SELECT COUNT(*) FROM events WHERE name = 'deadline'") == [(0,)]


def test_a_letter_is_sent_once_more_only_after_its_own_answer_and_under_its_own_key(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)

    resend(home)
    before = letters_of(home)
    home.decide(THREAD)
    home.run()

    letters = home.mail(THREAD)
    assert (before, sorted(letters)) == (["invite"], ["invite", "invite/again/1"])
    assert letters["invite"].get_content() == letters["invite/again/1"].get_content()
    assert home.thread(THREAD).thread.until_at == DEADLINE
    assert home.verify() == []


def test_a_letter_that_is_not_to_be_sent_again_stays_here_and_the_reminder_still_goes(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    resend(home)

    home.decide(THREAD, "reject")
    home.run()
    home = home.at(REMINDER)
    home.run()

    assert letters_of(home) == ["invite", "reminder"]


def test_a_booking_that_comes_first_keeps_the_second_letter_here(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    resend(home)
    home.decide(THREAD)

    home.book(THREAD)
    home.run()

    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "booked"))


def test_a_third_letter_has_another_key_than_the_second(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    for _ in range(2):
        resend(home)
        home.decide(THREAD)
        home.run()

    assert letters_of(home) == ["invite", "invite/again/1", "invite/again/2"]


def test_an_answer_to_send_again_is_never_taken_for_one_to_take_back(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    actor = home.actor
    for name in ("resend", "retract"):
        home.app.act(
            actor,
            name,
            lambda tx, name=name: ask_thread(tx, home.app.desk, actor, THREAD, name),  # type: ignore[misc]
        )
    home.run()
    first = home.question(THREAD).kind

    home.decide(THREAD, "reject")
    home.run()
    second = home.question(THREAD).kind
    home.decide(THREAD)
    home.run()

    assert (first, second) == ("retraction", "resend")
    assert letters_of(home) == ["invite", "invite/again/1"]
    assert not home.thread(THREAD).thread.has_ended


def test_a_question_asked_again_refuses_the_answer_to_the_one_before(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    seen = home.question(THREAD)

    again(home)

    assert home.question(THREAD).version > seen.version
    with pytest.raises((StaleVersion, AlreadyDecided)):
        home.answer(seen.id, Answer("approve", seen.version))
    assert home.question(THREAD).came_back == {
        "verdict": None, "by": None, "at": None, "moved": ["asked again by hand"]
    }  # fmt: skip


def test_a_held_answer_to_a_question_asked_again_sends_nothing(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)

    again(home)
    home = home.at(APPROVED + 2 * HOLD)
    home.run()

    assert letters_of(home) == []
    assert (home.question(THREAD).status, home.question(THREAD).came_back["verdict"]) == ("pending", "approve")  # type: ignore[index]


def test_nothing_is_asked_again_once_it_was_carried_out(tmp_path: Path) -> None:
    home = invited(tmp_path)

    with pytest.raises(BadInput, match="asks nothing"):
        again(home)


def test_a_repair_of_what_a_person_did_not_see_is_refused(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    actor, seen = home.actor, home.thread(THREAD).thread.version
    home.park(THREAD)
    home.retry(THREAD)

    with pytest.raises(StaleVersion, match="Look again"):
        home.app.act(actor, "park", lambda tx: park_thread(tx, actor, THREAD, seen_version=seen))

    assert home.thread(THREAD).thread.status == "ready"
