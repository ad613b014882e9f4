"""Closing a role rejects and mails nobody; what was held asks again, reminders are void, bookings run on."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest

from core.catalog.roles import Role, get_role
from core.desk.roles import preview_close
from core.errors import BadInput, NotAllowed, NotFound, RoleClosed
from core.views.of_role import Closing
from core.views.sentence import sentence
from core.views.sitting import Queue
from core.views.today import Place, read_today
from tests.contracts.rubrics import SIX
from tests.contracts.screened import (
    APPROVED,
    DEADLINE,
    HOLD,
    REMINDER,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
    pending,
    sent_at,
)
from tests.homes import ROLE, Home


def preview(home: Home) -> Closing:
    actor = home.actor
    return home.app.look(actor, "role close", lambda conn: preview_close(conn, actor, ROLE))


def role(home: Home) -> Role:
    with home.app.read() as conn:
        return get_role(conn, home.tenant_id, ROLE)


def lanes(home: Home) -> dict[str, str]:
    with home.app.read() as conn:
        return {one.thread_id: one.lane for one in Queue(home.app.vault).list_heads(conn, home.actor.member, APPROVED)}


def test_an_undecided_question_stays_and_moves_to_its_own_lane(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    before = lanes(home)

    did = home.close_role()
    home.run()

    assert (before, lanes(home)) == ({THREAD: "look"}, {THREAD: "closing"})
    assert (did.undecided, did.held, did.bookings, did.ended) == (1, 0, 0, 0)
    assert (home.ending(THREAD), pending(home), letters_of(home)) == (("awaiting_review", None), [THREAD], [])
    assert home.verify() == []


def test_today_says_why_the_question_is_there(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.close_role()

    with home.app.read() as conn:
        (closing,) = read_today(conn, home.app.vault, home.tenant_id, APPROVED, Place()).waiting
    home.reopen_role()
    with home.app.read() as conn:
        (open_again,) = read_today(conn, home.app.vault, home.tenant_id, APPROVED, Place()).waiting

    assert (closing.is_closing, open_again.is_closing) == (True, False)


@pytest.mark.parametrize("verdict", ["approve", "reject"])
def test_a_held_answer_asks_again_and_leaves_nothing(tmp_path: Path, verdict: str) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD, verdict)  # type: ignore[arg-type]

    did = home.close_role()
    home = home.at(APPROVED + HOLD)
    home.run()

    asked = home.question(THREAD)
    assert (did.held, asked.status, letters_of(home)) == (1, "pending", [])
    assert asked.came_back is not None
    assert (asked.came_back["verdict"], asked.came_back["moved"]) == (verdict, ["role open → closed"])
    assert home.ending(THREAD) == ("awaiting_review", None)
    assert home.verify() == []


def test_an_answer_that_waits_at_the_gate_asks_again(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.change("INSERT INTO switches VALUES ('sending', :off, 'somebody', '2026-08-19T09:00:00.000Z')", off=False)
    home.decide(THREAD)
    home.run()

    home.close_role()
    home.change("DELETE FROM switches")
    home = home.at(APPROVED + timedelta(hours=1))
    home.run()

    assert (pending(home), letters_of(home), home.thread(THREAD).thread.step) == ([THREAD], [], "review")
    home.decide(THREAD, "reject")
    home.run()
    assert letters_of(home) == ["decline"]


def test_in_a_closed_role_an_invite_is_refused_and_a_decline_goes(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.close_role()

    with pytest.raises(RoleClosed, match="would not leave; open the role again first, or decline"):
        home.decide(THREAD)
    home.decide(THREAD, "reject")
    home.run()

    assert (home.ending(THREAD), letters_of(home)) == (("rejected", "declined"), ["decline"])


def test_reminders_are_void_at_once_and_the_booking_is_still_taken(tmp_path: Path) -> None:
    home = invited(tmp_path)

    did = home.close_role()
    reminder = home.ledger(THREAD)["reminder"]
    home = home.at(REMINDER)
    home.run()
    home.book(THREAD)
    home.run()

    assert (did.reminders, did.bookings, did.last_until_at) == (1, 1, DEADLINE)
    assert (reminder.status, reminder.why) == ("void", "role_closed")
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "booked"))
    assert home.verify() == []


def test_whoever_does_not_book_runs_to_the_deadline(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.close_role()
    said = sentence(home.thread(THREAD).thread, home.app.zone)

    home = home.at(DEADLINE)
    home.run()

    assert "until Fri 21 Aug 10:00 BST; Thu 20 Aug 10:00 BST nothing goes, as the role is closed," in said
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "expired"), ["invite"])


def test_a_role_opened_again_in_time_reminds_at_its_time(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.close_role()
    home.run()

    home.reopen_role()
    home.run()
    said = sentence(home.thread(THREAD).thread, home.app.zone)
    home = home.at(REMINDER)
    home.run()

    assert "a reminder goes if nothing comes" in said
    assert (letters_of(home), sent_at(home, "reminder")) == (["invite", "reminder"], REMINDER)


def test_a_role_closed_twice_in_its_life_voids_the_reminder_again(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.close_role()
    home.reopen_role()
    home.run()

    again = home.close_role()
    home = home.at(REMINDER)
    home.run()

    assert (again.reminders, letters_of(home)) == (1, ["invite"])


def test_a_role_opened_again_takes_its_questions_out_of_the_lane_and_invites(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.close_role()
    home.reopen_role()

    home.decide(THREAD)
    home.run()

    assert (role(home).status, role(home).closed_at, letters_of(home)) == ("open", None, ["invite"])


def test_when_a_role_closed_is_kept_and_it_takes_no_more_applications(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.close_role()

    with pytest.raises(RoleClosed):
        home.apply("Ben Example", "ben@example.com")

    assert (role(home).status, role(home).closed_at) == ("closed", APPROVED)


def test_a_preview_counts_what_closing_then_does_and_writes_nothing(tmp_path: Path) -> None:
    home = invited(tmp_path)
    asked, held = (home.apply(f"{name} Example", f"{name}@example.com") for name in ("ben", "cy"))
    home.run()
    home.with_hold(900).decide(held)
    tables = ("roles", "threads", "approvals", "effects", "audit_entries")
    before = [home.look(f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in tables]

    said = preview(home)

    assert [home.look(f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in tables] == before
    assert said == Closing(2, 1, 1, 1, DEADLINE, 0)
    assert asdict(home.close_role()) == asdict(said)
    assert sorted(pending(home)) == [asked, held]


def test_what_cannot_be_closed_or_opened_is_refused(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    viewer = home.add_person("vi@example.com", "viewer")

    with pytest.raises(NotAllowed):
        viewer.close_role()
    with pytest.raises(NotFound):
        home.close_role("role-99")
    with pytest.raises(BadInput, match="open already"):
        home.reopen_role()
    home.close_role()
    with pytest.raises(RoleClosed, match="closed already, since 2026-08-19T09:00:00Z"):
        home.close_role()
    with pytest.raises(RoleClosed):
        preview(home)
    with pytest.raises(NotAllowed):
        viewer.reopen_role()

    assert role(home).status == "closed"
    assert [one["role"] for one in home.audit("role_closed")] == [ROLE]


def test_another_role_stays_open_and_its_reminders_go(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.add_role("role-15")
    home.close_role("role-15")

    home = home.at(REMINDER)
    home.run()

    assert letters_of(home) == ["invite", "reminder"]


def test_a_closed_role_s_undecided_threads_still_follow_a_new_rubric(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.close_role()

    home.save_rubric(SIX)
    home.run()

    assert (home.question(THREAD).facts["max_total"], lanes(home)) == (30, {THREAD: "closing"})
