"""While sending is off nothing leaves, nothing is lost and nobody is given up on (contract C3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import NotAllowed
from core.ports import Envelope, Prepared
from core.views.sentence import sentence
from tests.contracts.screened import (
    APPROVED,
    DEADLINE,
    REMINDER,
    SECOND,
    THREAD,
    day_one,
    invited,
    letters_of,
    sent_at,
)
from tests.contracts.tiny import ACT, ONE, acts, begun, saying, workflow
from tests.fakes import FakeAdapter
from tests.homes import Home

DAY = timedelta(days=1)


@dataclass
class Thrown(FakeAdapter):
    """An outside for which sending is switched off while its first letter is prepared, and on right after the gate."""

    switch: Callable[[bool], None] = lambda _on: None
    is_first: bool = True

    def prepare(self, envelope: Envelope) -> Prepared:
        if not self.is_first:
            return super().prepare(envelope)
        self.is_first = False
        self.switch(False)
        return Prepared(envelope, b"", close=lambda: self.switch(True))


def stalled(folder: Path) -> Home:
    """A home with one approved letter that the switch keeps."""
    home = day_one(folder).at(APPROVED)
    home.decide(THREAD)
    home.switch(on=False)
    home.run()
    return home


def test_nothing_leaves_while_sending_is_off_and_all_of_it_once_it_is_on(tmp_path: Path) -> None:
    home = stalled(tmp_path)
    assert (letters_of(home), home.ledger(THREAD)["invite"].status) == ([], "planned")
    home.switch(on=True)
    home = home.at(APPROVED + timedelta(seconds=10))
    home.run()
    assert (letters_of(home), sent_at(home, "invite")) == (["invite"], APPROVED + timedelta(seconds=10))


def test_what_is_switched_on_goes_out_at_once_and_needs_no_retry(tmp_path: Path) -> None:
    home = stalled(tmp_path)
    home.switch(on=True)
    home.run()
    assert letters_of(home) == ["invite"]


def test_a_thread_that_waits_for_the_switch_uses_up_no_try_however_long_it_waits(tmp_path: Path) -> None:
    home = stalled(tmp_path)
    for days in (1, 2, 30):
        home = home.at(APPROVED + days * DAY)
        home.run()
    thread = home.thread(THREAD).thread
    assert (thread.status, thread.tries, thread.wake_at, home.thread(THREAD).attempts) == ("waiting", 0, None, [])
    assert sentence(thread, home.app.zone).endswith("until sending is switched on again; then it goes on by itself.")
    assert home.verify() == []
    home.switch(on=True)
    home.run()
    assert (letters_of(home), home.thread(THREAD).thread.parked_why) == (["invite"], None)


def test_a_thread_that_nothing_wakes_although_sending_is_on_is_found(tmp_path: Path) -> None:
    home = stalled(tmp_path)
    home.change("UPDATE switches SET is_on = :on", on=True)
    assert home.verify() == [f"thread {THREAD}: is waiting, but nothing wakes it."]


def test_an_answer_that_sending_holds_back_can_still_be_undone(tmp_path: Path) -> None:
    home = stalled(tmp_path)
    home.undo(THREAD)
    home.switch(on=True)
    home = home.at(DEADLINE)
    home.run()
    assert (letters_of(home), home.question(THREAD).status) == ([], "pending")


def test_a_thread_that_was_cancelled_meanwhile_sends_nothing(tmp_path: Path) -> None:
    home = stalled(tmp_path)
    home.cancel(THREAD)
    home.switch(on=True)
    home.run()
    assert (letters_of(home), home.ledger(THREAD)["invite"].status) == ([], "void")


def test_a_reminder_that_sending_held_back_until_the_deadline_never_goes(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.switch(on=False)
    home.run()
    home.switch(on=True)
    home = home.at(DEADLINE + SECOND)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "expired"))


def test_a_deadline_comes_while_sending_is_off(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.switch(on=False)
    home.run()
    home = home.at(DEADLINE)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "expired"))
    assert home.ledger(THREAD)["reminder"].status == "void"


def test_a_booking_is_taken_while_sending_is_off(tmp_path: Path) -> None:
    home = invited(tmp_path).at(REMINDER)
    home.switch(on=False)
    home.run()
    home.book(THREAD)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "booked"))


def test_a_switch_thrown_on_while_a_worker_is_about_to_let_a_thread_wait_is_not_missed(tmp_path: Path) -> None:
    adapter = Thrown()
    home = begun(tmp_path, workflow(acts({})), adapter)
    adapter.switch = lambda on: home.switch(on=on)
    home.run()
    assert (adapter.happened, home.ending(ONE)) == (["act"], ("completed", "done"))
    assert [entry["why"] for entry in home.audit("effect_held_back")] == ["sending_is_off"]


def test_nothing_is_even_prepared_while_sending_is_off(tmp_path: Path) -> None:
    prepared: list[str] = []
    adapter = FakeAdapter(honours_keys=False, preparing=lambda envelope: prepared.append(envelope.key))
    home = begun(tmp_path, workflow(acts({})), adapter)
    home.switch(on=False)
    home.run()
    assert (prepared, adapter.happened) == ([], [])
    home.switch(on=True)
    home.run()
    assert (prepared, adapter.happened, home.ending(ONE)) == ([ACT], ["act"], ("completed", "done"))


def test_a_switch_thrown_while_a_letter_is_prepared_holds_it_back(tmp_path: Path) -> None:
    adapter = FakeAdapter(delivering=saying())
    home = begun(tmp_path, workflow(acts({})), adapter)
    adapter.preparing = lambda _envelope: home.switch(on=False)
    home.run()
    assert (adapter.happened, home.thread(ONE).thread.tries) == ([], 0)
    adapter.preparing = lambda _envelope: None
    home.switch(on=True)
    home.run()
    assert adapter.happened == ["act"]


def test_every_tenant_waits_and_every_tenant_goes_on(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    north = home.add_tenant("north")
    north.add_role()
    theirs = north.apply("Ben Example", "ben@example.com")
    north.run()
    north.decide(theirs)
    home.switch(on=False)
    north.run()
    assert north.letters() == []
    home.switch(on=True)
    north.run()
    assert list(north.mail(theirs)) == ["invite"]


def test_only_an_owner_switches_sending_and_the_record_says_who(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    with pytest.raises(NotAllowed):
        home.add_person("ana@example.com", "reviewer").switch(on=False)
    assert home.audit("sending_switched") == []
    home.switch(on=False)
    (noted,) = home.audit("sending_switched")
    assert (noted["actor"], noted["on"], noted["by"]) == (home.actor.member.id, False, "command line")


def test_a_letter_that_may_not_leave_anyway_is_void_while_sending_is_off(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home.change("UPDATE roles SET status = 'closed'")
    home.switch(on=False)
    home.run()
    assert (home.ledger(THREAD)["invite"].status, home.ledger(THREAD)["invite"].why) == ("void", "role_closed")
