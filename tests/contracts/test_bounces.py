"""A letter that came back brings its thread back to a person, who gives an address and approves the letter again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import BadInput
from tests.contracts.rubrics import SIX
from tests.contracts.screened import APPROVED, DEADLINE, REMINDER, SECOND, THREAD, day_one, invited, letters_of
from tests.contracts.test_left_over import left_over
from tests.homes import Home

NEW = "ann.example@example.org"
HOUR = timedelta(hours=1)


def bounced(folder: Path, **data: str) -> Home:
    """Open a home in which the invite has come back after an hour."""
    home = invited(folder).at(APPROVED + HOUR)
    home.tell(THREAD, "bounce", data)
    home.run()
    return home


def body(home: Home, letter: str) -> str:
    return str(home.mail(THREAD)[letter].get_content())


def test_a_bounce_brings_the_thread_back_with_a_question_about_the_address(tmp_path: Path) -> None:
    home = bounced(tmp_path, reason="550 no such user")

    question = home.question(THREAD)
    assert home.ending(THREAD)[0] == "awaiting_review"
    assert (question.kind, question.about, question.status) == ("address", "address/2", "pending")
    assert question.title == "The letter to ann@example.com came back. Which address may we write to?"
    assert letters_of(home) == ["invite"]
    assert home.verify() == []


def test_a_new_address_sends_nothing_before_its_own_approval(tmp_path: Path) -> None:
    home = bounced(tmp_path)
    home.decide(THREAD, email=NEW)
    home.run()

    question = home.question(THREAD)
    assert (question.kind, question.about, question.status) == ("review", "invite/2", "pending")
    assert [one.key for one in question.choices] == [
        f"{THREAD}/invite/2", f"{THREAD}/reminder/2", f"{THREAD}/decline"
    ]  # fmt: skip
    assert letters_of(home) == ["invite"]


def test_the_second_invite_has_a_key_a_window_and_a_link_of_its_own(tmp_path: Path) -> None:
    home = bounced(tmp_path)
    home.decide(THREAD, email=NEW)
    home.run()
    home = home.at(APPROVED + 3 * HOUR)
    home.decide(THREAD)
    home.run()

    assert letters_of(home) == ["invite", "invite/2"]
    assert home.mail(THREAD)["invite/2"]["To"] == NEW
    assert body(home, "invite") != body(home, "invite/2")
    assert home.thread(THREAD).thread.until_at == DEADLINE + 3 * HOUR
    home = home.at(REMINDER + 3 * HOUR)
    home.run()
    assert letters_of(home) == ["invite", "invite/2", "reminder/2"]
    home.book(THREAD)
    home.run()
    assert home.ending(THREAD) == ("completed", "booked")
    assert home.verify() == []


def test_another_rubric_leaves_a_decided_thread_its_own_and_its_question(tmp_path: Path) -> None:
    home = bounced(tmp_path)
    home.decide(THREAD, email=NEW)
    home.run()
    home = home.with_hold(900)
    home.decide(THREAD)

    saved = home.save_rubric(SIX)
    home.run()
    home = home.at(APPROVED + 2 * HOUR)
    home.run()

    assert (saved.undecided, saved.kept, saved.came_back) == (0, 1, 0)
    assert letters_of(home) == ["invite", "invite/2"]
    assert home.verify() == []


def test_who_gives_no_address_closes_the_thread_without_a_letter(tmp_path: Path) -> None:
    home = bounced(tmp_path)
    home.decide(THREAD, "reject")
    home.run()

    assert home.ending(THREAD) == ("rejected", "declined")
    assert letters_of(home) == ["invite"]


def test_a_reminder_that_came_back_asks_too(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.run()
    home.tell(THREAD, "bounce")
    home.run()

    assert home.question(THREAD).about == "address/2"
    assert letters_of(home) == ["invite", "reminder"]


def test_a_bounce_before_the_reminder_stops_it(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.tell(THREAD, "bounce")
    home.run()

    assert letters_of(home) == ["invite"]
    assert home.question(THREAD).about == "address/2"


def test_a_bounce_in_time_counts_when_a_worker_comes_only_after_the_deadline(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE - SECOND)
    home.tell(THREAD, "bounce")
    home = home.at(DEADLINE + HOUR)
    home.run()

    assert home.question(THREAD).about == "address/2"


def test_who_books_and_whose_letter_came_back_is_booked(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    home.tell(THREAD, "bounce")
    home.book(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "booked")
    assert left_over(home) == [("bounce", False)]


def test_a_booking_while_the_address_is_asked_for_ends_the_thread_as_booked(tmp_path: Path) -> None:
    home = bounced(tmp_path)
    home.book(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "booked")
    assert letters_of(home) == ["invite"]
    assert home.question(THREAD).status == "withdrawn"


def test_a_bounce_before_any_letter_left_changes_nothing(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.tell(THREAD, "bounce")
    home.run()
    home.decide(THREAD)
    home.run()
    home = home.at(REMINDER)
    home.run()

    assert letters_of(home) == ["invite", "reminder"]
    assert home.question(THREAD).about == "invite"


def test_a_bounce_of_a_decline_waits_for_a_persons_eye(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD, "reject")
    home.run()
    home.tell(THREAD, "bounce", {"reason": "mailbox full"})
    home.run()

    assert home.ending(THREAD) == ("rejected", "declined")
    assert left_over(home) == [("bounce", True)]


@pytest.mark.parametrize("data", [{"slot": "2026-08-27T10:00:00Z"}, {"reason": "x" * 501}, {"reason": 550}])
def test_a_bounce_with_other_data_is_refused(tmp_path: Path, data: dict[str, object]) -> None:
    home = invited(tmp_path)

    with pytest.raises(BadInput):
        home.tell(THREAD, "bounce", data)

    assert home.thread(THREAD).events == []
