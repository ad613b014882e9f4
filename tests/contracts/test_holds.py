"""Withdrawing, undoing, releasing: what a held answer may still become (contract C5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import AlreadyReleased, BadInput
from core.views.queue import list_queue
from tests.contracts.screened import (
    APPROVED,
    DEADLINE,
    HOLD,
    SECOND,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
    sent_at,
)


def test_who_withdraws_before_the_invite_gets_no_letter_and_no_question_stands(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    home.tell(THREAD, "withdraw")
    home.run()
    with home.app.read() as conn:
        queue = list_queue(conn, home.app.vault, home.tenant_id)
    assert (home.ending(THREAD), letters_of(home), list(queue)) == (("completed", "withdrawn"), [], [])
    assert home.question(THREAD).status == "withdrawn"


@pytest.mark.case("R01")
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
