"""A worker that carries a migration is killed again and again; the database it works on does not show it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli.demo_migration import THREAD
from tests.crash.agent_kills import migrate_under_kills
from tests.crash.processes import Nursery
from tests.homes import Home

pytestmark = pytest.mark.crash
KILLS = int(os.environ.get("KILLS", "6"))  # `make test-kills` sets fifty, on the whole migration
SCALE = int(os.environ.get("SCALE", "40"))


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """Let the long form take its time."""

    def give_up(*_: object) -> None:
        raise TimeoutError("the migration did not come to its end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(max(90, 20 * KILLS))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.seed("agent.resume.crash")
def test_a_migration_under_a_killer_leaves_what_one_without_leaves(
    home: Home, nursery: Nursery, tmp_path: Path
) -> None:
    deaths = migrate_under_kills(home, nursery, SCALE, KILLS, tmp_path)
    whole = home.thread(THREAD)

    print(f"{deaths} deaths")  # noqa: T201 - how often it was really killed, for who asks with -s
    assert deaths >= KILLS // 2
    assert {one.result for one in whole.attempts} == {"error", "died"}
    assert max(line.attempts for line in whole.plan) > 1
