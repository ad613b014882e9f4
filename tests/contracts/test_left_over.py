"""An event that nothing followed from is not lost: a person sees it, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import NotAllowed
from core.views.queue import list_left_over
from tests.contracts.screened import APPROVED, DEADLINE, SECOND, THREAD, day_one, invited, letters_of
from tests.homes import Home


def left_over(home: Home) -> list[tuple[str, bool]]:
    """Answer the events that wait for a person's eye, and whether each came late."""
    with home.app.read() as conn:
        return [(one.name, one.late) for one in list_left_over(conn, home.tenant_id)]


def declined_while_booking(folder: Path) -> Home:
    """A booking arrives while the question stands; then the person declines."""
    home = day_one(folder).at(APPROVED)
    home.book(THREAD)
    home.run()
    home.decide(THREAD, "reject")
    home.run()
    return home


def test_a_booking_before_a_rejection_waits_for_a_person(tmp_path: Path) -> None:
    home = declined_while_booking(tmp_path)

    assert home.ending(THREAD) == ("rejected", "declined")
    assert letters_of(home) == ["decline"]
    assert left_over(home) == [("booking", False)]


def test_a_second_booking_waits_for_a_person_and_the_first_does_not(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.book(THREAD)
    home.book(THREAD, "2026-08-28T10:00:00Z")
    home.run()

    assert home.ending(THREAD) == ("completed", "booked")
    assert left_over(home) == [("booking", False)]


def test_a_booking_that_waits_for_its_invite_is_not_left_over(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.book(THREAD)
    home.run()

    assert left_over(home) == []


def test_what_a_person_has_seen_waits_no_more_and_what_comes_after_does(tmp_path: Path) -> None:
    home = invited(tmp_path).at(DEADLINE)
    home.run()
    home = home.at(DEADLINE + SECOND)
    home.book(THREAD)

    assert home.see(THREAD) == 1
    assert left_over(home) == []
    assert home.see(THREAD) == 0
    assert [(one["actor"], one["count"]) for one in home.audit("events_seen")] == [(home.actor.member.id, 1)]

    home.book(THREAD, "2026-08-28T10:00:00Z")
    assert left_over(home) == [("booking", True)]


def test_a_viewer_takes_nothing_off_the_queue(tmp_path: Path) -> None:
    home = declined_while_booking(tmp_path)

    with pytest.raises(NotAllowed):
        home.add_person("viewer@example.com", "viewer").see(THREAD)

    assert left_over(home) == [("booking", False)]
