"""`python -m core worker` as a process of its own beside the one that takes decisions."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.views.health import list_workers
from tests.crash.processes import ROOT, Nursery, Signals
from tests.crash.records import assert_clean, letters, thread
from tests.homes import Home

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]
ENDS_WITHIN = 5.0
ONE_POLL = 3.0  # a poll is a tenth of a second; the rest is for a busy machine


@contextmanager
def worker_of(home: Home, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a worker on this home, at the home's time, and end it."""
    settings = home.app.settings
    assert settings.now is not None
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DAYBOOK_")} | {
        "DAYBOOK_HOME": str(settings.home),
        "DAYBOOK_NOW": settings.now.isoformat(),
        "DAYBOOK_HOLD_SECONDS": str(settings.hold_seconds),
        "PYTHONPATH": str(ROOT),
    }
    if settings.database_url is not None:
        environment["DAYBOOK_DATABASE_URL"] = settings.database_url
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "worker"], cwd=cwd, env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def await_start(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if "runs; stop it" in line:
            return
    raise AssertionError("the worker ended before it ran")


def await_letters(home: Home, count: int, within: float) -> None:
    until = time.monotonic() + within
    while len(home.letters()) < count:
        assert time.monotonic() < until, f"{len(home.letters())} letters after {within} s"
        select.select([], [], [], 0.02)


@pytest.mark.case("J03")
def test_a_running_worker_carries_out_a_decision_made_in_another_process(
    home: Home, reviewed: Bring, tmp_path: Path
) -> None:
    first, second = reviewed(2)
    with worker_of(home, tmp_path) as worker:
        await_start(worker)
        for count, one in enumerate((first, second), 1):
            home.decide(one)
            await_letters(home, count, ONE_POLL)
        assert worker.poll() is None

    assert letters(home) == {f"{one}/invite": 1 for one in (first, second)}


def test_an_idle_worker_ends_at_sigterm_and_leaves_no_row(home: Home, tmp_path: Path) -> None:
    with worker_of(home, tmp_path) as worker:
        await_start(worker)
        with home.app.read() as conn:
            assert len(list_workers(conn)) == 1

        worker.send_signal(signal.SIGTERM)

        assert worker.wait(ENDS_WITHIN) == 0
    with home.app.read() as conn:
        assert list_workers(conn) == []
    assert list((home.app.home / "locks").glob("w-*.lock")) == []


def test_a_worker_with_much_to_do_ends_at_sigterm_and_holds_nothing(
    home: Home, nursery: Nursery, signals: Signals
) -> None:
    ids = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(20)]
    worker = nursery.start("serve slowly", home, signals=str(signals.folder), seconds=0.5)
    signals.wait_reached()

    worker.kill(signal.SIGTERM)

    assert worker.wait(ENDS_WITHIN) == 0
    assert home.look("SELECT count(*) FROM threads WHERE lease_holder IS NOT NULL OR deaths > 0") == [(0,)]
    assert home.look("SELECT count(*) FROM threads WHERE status = 'awaiting_review'") == [(0,)]
    home.run()
    assert {thread(home, one).status for one in ids} == {"awaiting_review"}
    assert_clean(home)


@pytest.mark.case("J10")
def test_where_no_worker_was_seen_for_long_health_says_so(home: Home, nursery: Nursery, signals: Signals) -> None:
    with home.app.read() as conn:
        assert list_workers(conn) == []
    worker = nursery.start("serve", home, signals=str(signals.folder))
    signals.wait_reached()
    with home.app.read() as conn:
        assert [one.is_silent for one in list_workers(conn)] == [False]
    worker.kill()
    worker.wait()
    home.change("UPDATE workers SET pulse = pulse - 61")

    with home.app.read() as conn:
        assert [one.is_silent for one in list_workers(conn)] == [True]


def test_a_worker_that_was_killed_is_no_longer_listed_once_another_started(
    home: Home, nursery: Nursery, signals: Signals
) -> None:
    worker = nursery.start("serve", home, signals=str(signals.folder))
    signals.wait_reached()
    worker.kill()
    worker.wait()

    home.run()

    assert home.look("SELECT id FROM workers") == []
    assert list((home.app.home / "locks").glob("w-*.lock")) == []
