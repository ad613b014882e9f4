"""A worker is killed the moment a new letter appears, again and again, until all are through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crash.processes import KILLED, Child, Nursery
from tests.crash.records import assert_clean, attempts, ledger, letters, thread
from tests.homes import Home

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]
MOST_STARTS = 60


def test_thirty_approved_threads_send_thirty_letters_under_a_killer(
    home: Home, approved: Bring, nursery: Nursery
) -> None:
    ids = approved(30)
    deaths = 0
    for _ in range(MOST_STARTS):
        worker = nursery.start("work", home)
        kill_on_sight(worker, home.app.home / "outbox")
        if worker.wait() == 0:
            break
        assert worker.status == KILLED, nursery.log.read_text()
        deaths += 1

    invites = dict.fromkeys((f"{one}/invite" for one in ids), 1)
    assert deaths > 1  # how many letters one worker writes before it is seen is the machine's affair
    assert (letters(home), ledger(home)) == (invites, dict.fromkeys(invites, "done"))
    assert {(thread(home, one).status, thread(home, one).deaths) for one in ids} == {("waiting", 0)}
    assert {result for _, result, _ in attempts(home)} <= {"died"}
    assert_clean(home)


def kill_on_sight(worker: Child, outbox: Path) -> None:
    """Kill the worker once the outbox holds a letter that was not there when it started."""
    before = len(list(outbox.glob("*.eml")))
    while worker.lives_for(0.0005):
        if len(list(outbox.glob("*.eml"))) > before:
            worker.kill()
            return
