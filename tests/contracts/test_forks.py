"""A fork begins where a run stood, under keys of its own: what has left does not leave again by it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.desk.desk import Doors
from core.desk.forking import Forked, fork_thread, preview_fork
from core.errors import BadInput, NotAllowed, NotFound
from core.views.queue import list_queue
from core.views.runs import Wanted, list_runs
from tests.contracts.screened import APPROVED, DEADLINE, THREAD, day_one, invited
from tests.homes import Home

HOUR = timedelta(hours=1)
FORK = f"{THREAD}.fork-1"


def fork(home: Home, at: int, *, thread_id: str = THREAD, sandbox: bool = True) -> Forked:
    actor, app = home.actor, home.app
    doors = Doors(app.read, app.write)
    return app.attempt(actor, "fork", lambda: fork_thread(doors, app.desk, actor, thread_id, at, sandbox=sandbox))


def marks(forked: Forked) -> dict[str, str]:
    return {one.entry.key.rsplit("/", 1)[-1]: one.mark for one in forked.after.effects}


def checkpoint_of(home: Home, step: str, thread_id: str = THREAD) -> int:
    """The last checkpoint that a step wrote."""
    return max(one.number for one in home.thread(thread_id).checkpoints if one.step == step)


@pytest.mark.parametrize("sandbox", [True, False])
def test_a_fork_after_a_send_sends_nothing_by_itself(tmp_path: Path, sandbox: bool) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    before = home.letters()

    forked = fork(home, checkpoint_of(home, "invite"), sandbox=sandbox)
    home.run()
    later = home.at(DEADLINE - HOUR)
    later.run()

    assert [one for one in later.letters() if FORK in one.read_text()] == []
    assert len(before) == 1
    assert len(later.letters()) == 2  # the invite, and the reminder of the run itself
    assert marks(forked) == {"invite": "again"}
    assert later.thread(FORK).thread.status == "awaiting_review"
    assert later.verify() == []


def test_a_sandbox_sends_nothing_whatever_is_answered_in_it(tmp_path: Path) -> None:
    home = invited(tmp_path)
    fork(home, checkpoint_of(home, "route"))
    home.run()

    home.decide(FORK)
    home.run()

    assert len(home.letters()) == 1
    assert [(one.key, one.status, one.why) for one in home.ledger(FORK).values()] == [
        (f"{FORK}/invite", "void", "sandbox")
    ]
    assert home.ending(FORK) == ("completed", "not_sent")
    assert home.verify() == []


def test_another_fork_sends_under_a_key_of_its_own_and_only_after_an_answer_of_its_own(tmp_path: Path) -> None:
    home = invited(tmp_path)
    fork(home, checkpoint_of(home, "route"), sandbox=False)
    home.run()
    assert len(home.letters()) == 1

    home.decide(FORK)
    home.run()

    assert list(home.mail(FORK)) == ["invite"]
    assert list(home.mail(THREAD)) == ["invite"]
    assert home.verify() == []


def test_answers_after_the_point_count_for_nothing_and_one_that_let_something_out_is_asked_anew(tmp_path: Path) -> None:
    home = invited(tmp_path)
    review, invite = checkpoint_of(home, "review"), checkpoint_of(home, "invite")

    forked = fork(home, invite)

    assert (forked.after.asked_for, forked.after.begins_at, forked.after.step) == (invite, review - 1, "review")
    assert [(one.about, one.status) for one in forked.after.void] == [("invite", "approved")]
    assert home.thread(FORK).approvals == []
    assert home.question(THREAD).status == "approved"


def test_a_fork_holds_what_stood_at_the_point_and_reads_its_own_copy_of_the_files(tmp_path: Path) -> None:
    home = invited(tmp_path)
    route = checkpoint_of(home, "route")
    fork(home, route)
    home.run()

    whole, asked = home.thread(FORK), home.question(FORK)

    assert (whole.thread.forked_from, whole.thread.forked_at, whole.thread.is_sandbox) == (THREAD, route, True)
    assert whole.name == "Ann Example"
    assert asked.facts["total"] == home.question(THREAD).facts["total"]
    assert [(one.step, one.status) for one in whole.plan][:6] == [
        ("intake", "done"), ("rules", "done"), ("recall", "done"), ("score", "done"), ("route", "done"),
        ("review", "waiting_person"),
    ]  # fmt: skip
    refs = home.look("SELECT thread_id, COUNT(*) FROM receipts GROUP BY thread_id ORDER BY thread_id")
    assert refs == [(THREAD, 1), (FORK, 1)]


def test_a_fork_of_the_first_checkpoint_goes_through_every_step(tmp_path: Path) -> None:
    home = invited(tmp_path)

    fork(home, 0)
    home.run()

    assert home.question(FORK).facts["total"] == home.question(THREAD).facts["total"]


def test_a_sandbox_is_in_no_queue_and_remembers_nothing_but_is_in_the_list_of_runs(tmp_path: Path) -> None:
    home = invited(tmp_path)
    fork(home, checkpoint_of(home, "route"))
    home.run()
    with home.app.read() as conn:
        queued = list_queue(conn, home.app.vault, home.tenant_id)
        listed = list_runs(conn, home.app.vault, home.tenant_id, Wanted(find=FORK), None, home.actor.now).lines

    home.decide(FORK, "reject")
    home.run()

    assert queued == []
    assert [one.thread.id for one in listed] == [FORK]
    assert home.ending(FORK) == ("rejected", "declined")
    assert home.look("SELECT COUNT(*) FROM memories") == [(0,)]


def test_what_nobody_knows_is_settled_before_a_fork(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.change("UPDATE effects SET status = 'unknown', result_ref = NULL, why = 'process_died'")

    with home.app.read() as conn:
        after = preview_fork(conn, home.app.desk, home.tenant_id, THREAD, 1)
    with pytest.raises(BadInput, match="settle that first"):
        fork(home, 1)

    assert [one.mark for one in after.effects] == ["settle"]
    assert home.look("SELECT COUNT(*) FROM threads") == [(1,)]


def test_a_viewer_forks_nothing_and_another_tenant_finds_nothing_to_fork(tmp_path: Path) -> None:
    home = invited(tmp_path)

    with pytest.raises(NotAllowed):
        fork(home.add_person("vera@example.com", "viewer"), 1)
    with pytest.raises(NotFound):
        fork(home.add_tenant("other"), 1)
    with pytest.raises(NotFound, match="it has 0 to"):
        fork(home, 99)

    assert home.look("SELECT COUNT(*) FROM threads") == [(1,)]


def test_a_run_that_ended_is_forked_before_its_end_and_not_at_it(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    home.decide(THREAD, "reject")
    home.run()
    last = home.thread(THREAD).thread.checkpoint

    forked = fork(home, last)  # the answer let a letter out, so it is asked anew
    home.run()

    assert forked.after.begins_at == last - 1
    assert home.thread(FORK).thread.status == "awaiting_review"
    assert len(home.letters()) == 1
