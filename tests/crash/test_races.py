"""Several processes at one row: four deciders, four workers, a worker whose lease went to another."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.clock import pulse
from core.threads.claim import LEASE_SECONDS, take_over
from tests.crash.processes import Nursery, Signals
from tests.crash.records import assert_clean, attempts, ledger, letters, thread
from tests.homes import Home

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]
REVIEWERS = ("Ana", "Ben", "Cleo", "Dai")


@pytest.mark.case("A03")
def test_of_four_who_decide_at_once_one_wins_and_three_are_told_who(
    home: Home, reviewed: Bring, nursery: Nursery, signals: Signals, tmp_path: Path
) -> None:
    (one,) = reviewed(1)
    for name in REVIEWERS:
        home.add_person(f"{name.lower()}@example.com")
    question = home.question(one)
    said = {name: tmp_path / name for name in REVIEWERS}
    deciders = [
        nursery.start(
            "decide", home, approval=question.id, version=question.version, by=f"{name.lower()}@example.com",
            said=str(said[name]), signals=str(signals.folder),
        )
        for name in REVIEWERS
    ]  # fmt: skip
    signals.wait_reached(len(deciders))
    signals.let_go()
    for decider in deciders:
        decider.finish()

    answers: dict[str, dict[str, Any]] = {name: json.loads(path.read_text()) for name, path in said.items()}
    (winner,) = [name for name, answer in answers.items() if answer["code"] == "done"]
    told = [answer for name, answer in answers.items() if name != winner]
    assert [answer["code"] for answer in told] == ["already_decided"] * 3
    assert all(f"approve by {winner} at 2026-08-20T09:00:00Z" in answer["sentence"] for answer in told)
    home.run()
    assert (home.question(one).version, letters(home)) == (3, {f"{one}/invite": 1})
    refused = home.look("SELECT count(*) FROM audit_entries WHERE act = 'refused'")
    assert refused == [(3,)]
    assert_clean(home)


@pytest.mark.case("B02", "J01")
def test_four_workers_at_forty_threads_send_forty_letters(
    home: Home, approved: Bring, nursery: Nursery, signals: Signals
) -> None:
    ids = approved(40)
    workers = [nursery.start("work", home, group=3, signals=str(signals.folder)) for _ in range(4)]
    signals.wait_reached(4)
    signals.let_go()
    for worker in workers:
        worker.finish()

    invites = dict.fromkeys((f"{one}/invite" for one in ids), 1)
    assert (letters(home), ledger(home)) == (invites, dict.fromkeys(invites, "done"))
    assert Counter(thread(home, one).status for one in ids) == {"waiting": 40}
    assert attempts(home) == []
    assert len(home.look("SELECT DISTINCT worker_id FROM effects")) > 1
    assert_clean(home)


def let_lease_run_out(home: Home) -> None:
    """Make every lease as old as one that nobody renewed for its whole length."""
    home.change("UPDATE threads SET lease_pulse = :then", then=pulse() - LEASE_SECONDS - 1)


@pytest.mark.case("B01")
def test_a_worker_whose_lease_went_to_another_while_it_scored_changes_nothing(
    home: Home, nursery: Nursery, signals: Signals
) -> None:
    one = home.apply()
    late = nursery.start("work", home, wait="scoring", signals=str(signals.folder))
    signals.wait_reached()
    let_lease_run_out(home)
    home.run()
    before = _record(home, one)
    assert before["thread"].status == "awaiting_review"

    signals.let_go()
    late.finish()

    assert _record(home, one) == before
    assert_clean(home)


def test_a_late_failure_is_no_failure_of_the_thread(home: Home, nursery: Nursery, signals: Signals) -> None:
    one = home.apply()
    late = nursery.start("work", home, wait="scoring, then failing", signals=str(signals.folder))
    signals.wait_reached()
    let_lease_run_out(home)
    give_back_leases(home)
    home.change("UPDATE threads SET wake_at = NULL")  # nobody takes it while the late one goes on
    before = _record(home, one)

    signals.let_go()
    late.finish()

    assert _record(home, one) == before
    home.change("UPDATE threads SET wake_at = :now", now="2026-08-20T09:00:00.000Z")
    home.run()
    assert (thread(home, one).status, thread(home, one).tries) == ("awaiting_review", 0)
    assert_clean(home)


def give_back_leases(home: Home) -> None:
    with home.app.write() as tx:
        taken = take_over(tx, home.tenant_id, home.actor.now, is_gone=lambda _: False, performed_by=lambda _: ())
    assert [one.died for one in taken] == [False]


def test_a_late_worker_settles_the_letter_it_sent_and_nothing_else(
    home: Home, approved: Bring, nursery: Nursery, signals: Signals
) -> None:
    (one,) = approved(1)
    late = nursery.start("work", home, wait="delivered", signals=str(signals.folder))
    signals.wait_reached()
    let_lease_run_out(home)
    give_back_leases(home)
    home.change("UPDATE threads SET wake_at = NULL")  # nobody takes it while the late one goes on
    before = _record(home, one)
    assert ledger(home) == {f"{one}/invite": "sending"}

    signals.let_go()
    late.finish()

    assert ledger(home) == {f"{one}/invite": "done"}
    assert _record(home, one) == before
    home.change("UPDATE threads SET wake_at = :now", now="2026-08-20T09:00:00.000Z")
    home.run()
    assert (letters(home), thread(home, one).status) == ({f"{one}/invite": 1}, "waiting")
    assert_clean(home)


def test_a_letter_sent_by_a_late_worker_is_found_by_the_one_that_took_over(
    home: Home, approved: Bring, nursery: Nursery, signals: Signals
) -> None:
    (one,) = approved(1)
    late = nursery.start("work", home, wait="delivered", signals=str(signals.folder))
    signals.wait_reached()
    let_lease_run_out(home)
    home.run()
    before = _record(home, one)
    assert (ledger(home), before["thread"].status) == ({f"{one}/invite": "done"}, "waiting")

    signals.let_go()
    late.finish()

    assert (_record(home, one), letters(home)) == (before, {f"{one}/invite": 1})
    assert_clean(home)


def test_a_late_worker_does_not_bring_a_question_back_that_came_back(
    home: Home, approved: Bring, nursery: Nursery, signals: Signals
) -> None:
    (one,) = approved(1)
    home.change("UPDATE people SET active = false")
    late = nursery.start("work", home, wait="putting back", signals=str(signals.folder))
    signals.wait_reached()
    let_lease_run_out(home)
    home.run()
    before = (_record(home, one), home.question(one))
    assert (before[0]["thread"].status, before[1].status) == ("awaiting_review", "pending")

    signals.let_go()
    late.finish()

    assert (_record(home, one), home.question(one)) == before
    assert letters(home) == {}
    assert_clean(home)


def _record(home: Home, thread_id: str) -> dict[str, Any]:
    checkpoints = home.look("SELECT number, step, at FROM checkpoints WHERE thread_id = :id", id=thread_id)
    return {"thread": thread(home, thread_id), "checkpoints": checkpoints, "attempts": attempts(home, thread_id)}
