"""The gate from planned to sending (contract C3): what was approved leaves, and only while it still may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DatabaseError

from core.adapters.outbox import Outbox
from core.errors import EffectNotSent
from core.ports import Envelope, Prepared
from tests.contracts.screened import (
    APPROVED,
    HOLD,
    REMINDER,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
)
from tests.fakes import Died, FakeAdapter
from tests.homes import Home


@dataclass
class Watched:
    """The outbox, with something happening while a letter is being prepared."""

    outbox: Outbox
    while_preparing: Callable[[Envelope], object]
    prepared: list[str] = field(default_factory=list)
    honours_keys: bool = True
    can_be_asked: bool = True

    def prepare(self, envelope: Envelope) -> Prepared:
        prepared = self.outbox.prepare(envelope)
        self.prepared.append(envelope.key.rsplit("/", 1)[-1])
        self.while_preparing(envelope)
        return prepared

    def __getattr__(self, name: str) -> object:
        return getattr(self.outbox, name)


def watched(home: Home, while_preparing: Callable[[Home, Envelope], object]) -> Home:
    """The same home, where this happens while a letter is being prepared."""
    return home.with_code(mail=Watched(home.app.outbox, lambda envelope: while_preparing(home, envelope)))  # type: ignore[arg-type]


def change(sql: str) -> Callable[[Home, Envelope], object]:
    """Answer what changes rows."""
    return lambda home, _envelope: home.change(sql)


EDIT = "UPDATE approval_options SET payload_hash = 'f00d' WHERE effect_key LIKE '%/invite'"


# What was approved


@pytest.mark.case("A08")
def test_a_text_edited_after_the_approval_does_not_leave(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.change(EDIT)
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), home.thread(THREAD).thread.parked_why) == ([], "effect_refused")


@pytest.mark.parametrize(
    "sql",
    [
        EDIT,
        "UPDATE effects SET payload_hash = 'f00d'",
        "UPDATE approvals SET verdict = 'reject', status = 'rejected'",
        "UPDATE effects SET approval_id = 'apr-000000000000'",
    ],
)
def test_a_text_or_a_verdict_that_moves_while_the_letter_is_prepared_does_not_leave(tmp_path: Path, sql: str) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, change(sql))
    home.run()
    assert letters_of(home) == []
    assert home.ledger(THREAD)["invite"].status == "void"
    assert home.question(THREAD).status == "pending"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE people SET active = false", "person_may_not_decide"),
        ("UPDATE roles SET status = 'closed'", "role_closed"),
    ],
)
def test_access_and_role_are_looked_at_once_more_at_the_gate(tmp_path: Path, sql: str, reason: str) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, change(sql))
    home.run()
    assert (letters_of(home), [entry["why"] for entry in home.audit("effect_held_back")]) == ([], [reason])


def test_an_undo_that_comes_while_the_letter_is_prepared_wins(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, lambda before, _envelope: before.undo(THREAD))
    home.run()
    assert (letters_of(home), home.question(THREAD).status, home.ending(THREAD)) == (
        [], "pending", ("awaiting_review", None),
    )  # fmt: skip


def test_what_depends_on_something_nobody_can_read_does_not_leave(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home.change("UPDATE approval_options SET only_if = 'garbage'")
    home.run()
    assert (letters_of(home), home.thread(THREAD).thread.parked_why) == ([], "effect_refused")


def test_what_a_letter_depends_on_is_read_once_more_at_the_gate(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, change("UPDATE effects SET only_if = 'garbage'"))
    home.run()
    assert (letters_of(home), home.ledger(THREAD)["invite"].why) == ([], "conditions_unreadable")


def test_what_nothing_moved_leaves(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, change("UPDATE people SET name = 'Olga'"))
    home.run()
    assert letters_of(home) == ["invite"]


@pytest.mark.parametrize(
    ("verdict", "letter", "status"), [("approve", "invite", "waiting"), ("reject", "decline", "rejected")]
)
def test_who_loses_access_after_the_release_takes_nothing_back(
    tmp_path: Path, verdict: Any, letter: str, status: str
) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD, verdict)
    dying = FakeAdapter(approved_only=True, delivering=_die)
    with pytest.raises(Died):
        home.with_code(mail=dying).run()
    home.change("UPDATE people SET active = false")
    home.run()
    assert (letters_of(home), home.ending(THREAD)[0]) == ([letter], status)


def test_who_loses_access_after_the_invite_is_not_asked_again_and_the_reminder_goes(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.add_person("ruth@example.com").decide(THREAD)
    home.run()
    home.change("UPDATE people SET active = false WHERE email = 'ruth@example.com'")
    home = home.at(REMINDER)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite", "reminder"], ("waiting", None))
    assert len(home.thread(THREAD).approvals) == 1


def _die(_envelope: Envelope) -> None:
    raise Died


def never_prepared(folder: Path) -> Home:
    """Open a home with an invite that is planned, approved and not released."""
    home = day_one(folder).at(APPROVED)
    home.decide(THREAD)

    def refuse(_home: Home, _envelope: Envelope) -> None:
        raise EffectNotSent

    home = watched(home, refuse)
    home.run()
    return home


LET_OUT = "UPDATE effects SET status = 'sending' WHERE status = 'planned'"


@pytest.mark.parametrize(
    "before",
    [
        "UPDATE approvals SET released_at = NULL",
        "UPDATE approvals SET released_at = release_at, status = 'rejected', verdict = 'reject'",
        "UPDATE approvals SET released_at = release_at, status = 'superseded', decided_by = NULL",
        "UPDATE effects SET payload_hash = 'f00d'",
        EDIT,
    ],
)
def test_the_database_lets_nothing_out_that_no_released_approval_names(tmp_path: Path, before: str) -> None:
    home = never_prepared(tmp_path)
    home.change("UPDATE approvals SET released_at = release_at")
    home.change(before)
    with pytest.raises(DatabaseError, match="without a released approval for exactly this payload"):
        home.change(LET_OUT)
    assert home.ledger(THREAD)["invite"].status == "planned"


def test_the_database_lets_out_what_a_released_approval_names(tmp_path: Path) -> None:
    home = never_prepared(tmp_path)
    home.change("UPDATE approvals SET released_at = release_at")
    assert home.change(LET_OUT) == 1


# What still holds


def test_a_booking_that_commits_while_the_reminder_is_prepared_stops_it(tmp_path: Path) -> None:
    home = watched(invited(tmp_path).at(REMINDER), lambda before, _envelope: before.book(THREAD))
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "booked"))
    assert (home.ledger(THREAD)["reminder"].status, home.ledger(THREAD)["reminder"].why) == ("void", "an_event_came")
    assert home.summaries(THREAD)["reminder"] == "Skipped: an_event_came."


def test_a_withdrawal_that_commits_while_the_reminder_is_prepared_stops_it(tmp_path: Path) -> None:
    home = watched(invited(tmp_path).at(REMINDER), lambda before, _envelope: before.tell(THREAD, "withdraw"))
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "withdrawn"))


def test_a_booking_that_comes_after_the_reminder_left_is_too_late_to_stop_it(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.run()
    home.book(THREAD)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite", "reminder"], ("completed", "booked"))


def test_a_booking_that_comes_while_the_invite_is_prepared_is_taken_and_not_lost(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, lambda before, _envelope: before.book(THREAD))
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "booked"))


def test_a_thread_parked_while_its_letter_is_prepared_sends_nothing_until_it_is_retried(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    parking = watched(home, lambda before, _envelope: before.park(THREAD))
    parking.run()
    assert (letters_of(home), home.ending(THREAD)) == ([], ("parked", None))
    home.retry(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]


def test_a_thread_cancelled_while_its_letter_is_prepared_sends_nothing(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, lambda before, _envelope: before.cancel(THREAD))
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == ([], ("failed", "cancelled"))


@pytest.mark.case("X03")
def test_two_workers_at_one_letter_send_it_once(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home = watched(home, lambda before, _envelope: before.run())
    home.run()
    assert letters_of(home) == ["invite"]
