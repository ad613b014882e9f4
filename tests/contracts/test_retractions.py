"""An invite is taken back only on a person's word, by a letter they saw, and only while its answer is waited for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.desk.asking import ask_thread
from core.errors import BadInput, NotAllowed, NotFound
from tests.contracts.rubrics import SIX
from tests.contracts.screened import APPROVED, DEADLINE, HOLD, REMINDER, SECOND, THREAD, day_one, invited, letters_of
from tests.contracts.test_left_over import left_over
from tests.contracts.test_letters import save_letter
from tests.homes import Home

HOUR = timedelta(hours=1)


def ask(home: Home, thread_id: str = THREAD) -> None:
    """Ask whether the invite is taken back."""
    actor = home.actor
    home.app.act(actor, "retract", lambda tx: ask_thread(tx, home.app.desk, actor, thread_id, "retract"))


def asked(folder: Path) -> Home:
    """Open a home in which that question stands, an hour after the invite left."""
    home = invited(folder).at(APPROVED + HOUR)
    ask(home)
    home.run()
    return home


def test_the_question_shows_its_letter_and_nothing_leaves(tmp_path: Path) -> None:
    home = asked(tmp_path)

    question = home.question(THREAD)
    (letter,) = [one for one in question.choices if one.key is not None]
    assert (question.kind, question.about, question.expires_at) == ("retraction", "invite/retract", DEADLINE)
    assert letter.key == f"{THREAD}/invite/retract"
    assert "take back our invitation" in str((letter.payload or {})["body"])
    assert letters_of(home) == ["invite"]
    assert home.verify() == []


def test_an_approved_retraction_leaves_and_ends_the_thread(tmp_path: Path) -> None:
    home = asked(tmp_path)
    home.decide(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "retracted")
    assert letters_of(home) == ["invite", "invite/retract"]
    assert home.verify() == []


def test_a_retraction_is_held_and_can_be_undone(tmp_path: Path) -> None:
    home = asked(tmp_path).with_hold(900)
    home.decide(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]
    home.undo(THREAD)
    home.run()

    assert home.question(THREAD).status == "pending"
    later = home.at(APPROVED + HOUR + 2 * HOLD)
    later.run()
    assert letters_of(later) == ["invite"]


def test_a_kept_invite_goes_on_with_its_reminder_and_its_deadline(tmp_path: Path) -> None:
    home = asked(tmp_path)
    home.decide(THREAD, "reject")
    home.run()

    assert home.ending(THREAD)[0] == "waiting"
    assert home.thread(THREAD).thread.until_at == DEADLINE
    home = home.at(REMINDER)
    home.run()
    assert letters_of(home) == ["invite", "reminder"]
    ask(home)
    home.run()
    home.decide(THREAD)
    home.run()
    assert letters_of(home) == ["invite", "invite/retract", "reminder"]


@pytest.mark.case("R07")
def test_a_reminder_whose_time_passed_while_the_question_stood_is_skipped(tmp_path: Path) -> None:
    home = asked(tmp_path).at(REMINDER + HOUR)
    home.run()
    home.decide(THREAD, "reject")
    home.run()

    assert letters_of(home) == ["invite"]
    assert home.summaries(THREAD)["reminder"].startswith("Skipped: ")
    assert home.ending(THREAD)[0] == "waiting"


def test_a_reminder_that_left_goes_no_second_time(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.run()
    for _ in range(2):
        ask(home)
        home.run()
        home.decide(THREAD, "reject")
        home.run()

    assert letters_of(home) == ["invite", "reminder"]
    assert home.ending(THREAD)[0] == "waiting"


def test_a_booking_that_comes_first_stands(tmp_path: Path) -> None:
    home = asked(tmp_path)
    home.book(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "booked")
    assert home.question(THREAD).status == "withdrawn"


def test_a_booking_during_the_hold_stops_the_letter(tmp_path: Path) -> None:
    home = asked(tmp_path).with_hold(900)
    home.decide(THREAD)
    home.run()
    home.book(THREAD)
    home = home.at(APPROVED + HOUR + HOLD)
    home.run()

    assert home.ending(THREAD) == ("completed", "booked")
    assert letters_of(home) == ["invite"]


def test_at_the_deadline_the_invite_expires_and_the_question_with_it(tmp_path: Path) -> None:
    home = asked(tmp_path).at(DEADLINE)
    home.run()

    assert home.ending(THREAD) == ("completed", "expired")
    assert home.question(THREAD).status == "expired"
    assert letters_of(home) == ["invite"]


def test_a_booking_after_the_deadline_is_no_booking_though_the_question_still_stood(tmp_path: Path) -> None:
    home = asked(tmp_path).at(DEADLINE + SECOND)
    home.book(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "expired")
    assert [name for name, _ in left_over(home)] == ["booking"]


def test_a_held_retraction_comes_back_under_new_letters_and_not_under_another_rubric(tmp_path: Path) -> None:
    home = asked(tmp_path).with_hold(900)
    home.decide(THREAD)
    rubric = home.save_rubric(SIX)
    letters = save_letter(home, "retraction", "Subject: Sorry\n\nThe invitation is void.\n")
    home.run()

    question = home.question(THREAD)
    assert question.came_back is not None
    assert (rubric.came_back, letters.came_back, question.came_back["moved"]) == (0, 1, ["letters 1 → 2"])
    home = home.at(APPROVED + HOUR + 2 * HOLD)
    home.run()
    assert letters_of(home) == ["invite"]
    home.with_hold(0).decide(THREAD)
    home.run()
    assert str(home.mail(THREAD)["invite/retract"].get_content()).startswith("The invitation is void.")
    assert home.verify() == []


def test_a_held_retraction_asks_again_when_its_role_closes_and_ends_with_the_deadline(tmp_path: Path) -> None:
    home = asked(tmp_path).with_hold(900)
    home.decide(THREAD)
    home.close_role()
    home.run()

    assert (home.ending(THREAD)[0], home.question(THREAD).status) == ("awaiting_review", "pending")
    home = home.at(DEADLINE)
    home.run()
    assert home.ending(THREAD) == ("completed", "expired")
    assert letters_of(home) == ["invite"]


def test_only_a_thread_that_waits_for_its_booking_can_be_asked(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)

    with pytest.raises(BadInput, match="does not wait for an answer"):
        ask(home)
    home.decide(THREAD)
    home.run()
    with pytest.raises(NotFound):
        ask(home, "role-14/app-0999")
    with pytest.raises(NotAllowed):
        ask(home.add_person("viewer@example.com", "viewer"))
    with pytest.raises(BadInput, match="has no event 'retract'"):
        home.tell(THREAD, "retract")
    with pytest.raises(BadInput, match="The window of role-14/app-0001 has ended"):
        ask(home.at(DEADLINE))


def test_asking_twice_asks_once(tmp_path: Path) -> None:
    home = asked(tmp_path)

    with pytest.raises(BadInput, match="does not wait for an answer"):
        ask(home)

    assert len(home.thread(THREAD).approvals) == 2
