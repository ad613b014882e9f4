"""Between an amendment and the question asked anew, nobody may let the old letter out."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.decisions import Answer
from core.errors import AlreadyDecided, StaleVersion
from core.review.read import get_approval
from tests.contracts.screened import APPROVED, NAMELESS, THREAD, day_one, letters_of, pending
from tests.homes import Home

RIGHT = "right@example.org"


def refused(home: Home) -> None:
    """Expect an answer on the version that stands to be refused, and nothing to have left."""
    asked = home.question(THREAD)
    with pytest.raises(StaleVersion, match="asked anew"):
        home.answer(asked.id, Answer("approve", asked.version))
    assert letters_of(home) == []


def invited_at(home: Home) -> list[str]:
    """Let the question be asked anew, approve it, and answer where the letter went."""
    home.run()
    home.decide(THREAD)
    home = home.at(home.question(THREAD).release_at or APPROVED)
    home.run()
    return [str(letter["To"]) for letter in home.mail(THREAD).values()]


def test_an_amended_address_is_not_approved_before_it_is_asked_anew(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.amend(THREAD, email=RIGHT)

    refused(home)

    assert invited_at(home) == [RIGHT]


def test_a_held_answer_that_an_amendment_brought_back_is_not_given_again_on_the_old_letter(tmp_path: Path) -> None:
    home = day_one(tmp_path, hold_seconds=900).at(APPROVED)
    home.decide(THREAD)
    home.amend(THREAD, email=RIGHT)

    refused(home)

    assert invited_at(home) == [RIGHT]


def test_an_amended_address_closes_the_question_for_one(tmp_path: Path) -> None:
    home = day_one(tmp_path, cv=NAMELESS, email="").at(APPROVED)
    asked = home.question(THREAD)
    home.amend(THREAD, email=RIGHT)
    home.run()

    with pytest.raises(AlreadyDecided, match="superseded"):
        home.answer(asked.id, Answer("approve", asked.version, {"email": "late@example.org"}))

    assert pending(home) == [THREAD]
    assert home.question(THREAD).kind == "review"
    assert invited_at(home) == [RIGHT]
    with home.app.read() as conn:
        assert get_approval(conn, home.app.vault, home.tenant_id, asked.id).status == "superseded"


def test_amending_to_what_stands_already_changes_nothing(tmp_path: Path) -> None:
    home = day_one(tmp_path, hold_seconds=900).at(APPROVED)
    home.decide(THREAD)
    held = home.question(THREAD)

    home.amend(THREAD, email="ann@example.com")

    assert home.question(THREAD) == held
    assert held.status == "approved"
