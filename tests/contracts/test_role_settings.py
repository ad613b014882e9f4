"""A missing address, a window, an offset, a due time: what settings and gaps of an applicant change."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.errors import BadInput
from core.views.sentence import sentence
from tests.contracts.screened import (
    APPLIED,
    APPROVED,
    DEADLINE,
    NAMELESS,
    THREAD,
    day_one,
    letters_of,
    sent_at,
)
from tests.homes import ROLE, ROLE_FILE, Home, open_home


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
@pytest.mark.case("R08")
def test_a_window_that_is_no_longer_than_the_reminder_s_offset_has_no_reminder(tmp_path: Path, window: int) -> None:
    home = with_settings(tmp_path, window_hours=window)
    assert letters_of(home) == ["invite"]
    home = home.at(APPROVED + timedelta(hours=window))
    home.run()
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "expired"), ["invite"])
    assert home.summaries(THREAD)["reminder"] == "No reminder: the window is shorter than the offset."


@pytest.mark.case("R12")
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


def test_a_role_s_own_hold_is_held_where_the_home_has_none(tmp_path: Path) -> None:
    home = with_settings(tmp_path, hold_seconds=60)
    assert (home.question(THREAD).release_at, letters_of(home)) == (APPROVED + timedelta(seconds=60), [])
    home = home.at(APPROVED + timedelta(seconds=60))
    home.run()
    assert letters_of(home) == ["invite"]
