"""Park, retry, cancel: repairs that lose nothing and mail nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from tests.contracts.screened import (
    APPROVED,
    HOLD,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
    pending,
)


def test_an_answer_to_a_parked_thread_is_kept_and_leaves_only_after_the_repair(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.park(THREAD)
    home.decide(THREAD)
    home.run()
    assert (letters_of(home), home.ending(THREAD), home.question(THREAD).status) == ([], ("parked", None), "approved")
    home.retry(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]


def test_a_thread_that_is_not_parked_is_not_retried(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    with pytest.raises(BadInput, match="only a parked thread"):
        home.retry(THREAD)


def test_a_thread_cancelled_in_the_hold_mails_nobody_and_withdraws_its_answer(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.cancel(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == ([], ("failed", "cancelled"))
    assert (home.question(THREAD).status, pending(home)) == ("withdrawn", [])


def test_an_ended_thread_is_neither_parked_nor_cancelled(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.book(THREAD)
    home.run()
    for act in (home.park, home.cancel):
        with pytest.raises(BadInput, match="has ended"):
            act(THREAD)
    assert home.ending(THREAD) == ("completed", "booked")
