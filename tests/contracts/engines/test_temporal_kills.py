"""Real kills: of the server, and of the workers that Temporal drives. What counts is what left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import core.engines.temporal.engine
from core.errors import EngineAway
from tests.contracts.engines.world import HOLD, REMINDED, driven_by_temporal, opened
from tests.databases import SQLITE, homes_on
from tests.homes import Home, close_homes, open_home
from tests.temporal_server import Server, shared_server

pytestmark = pytest.mark.crash
ROOT = Path(__file__).parents[3]
MANY = 12
KILLS = 3
PATIENCE_SECONDS = 120.0


def nudges(home: Home) -> list[object]:
    return [row[0] for row in home.look("SELECT thread_id FROM nudges ORDER BY thread_id")]


def test_a_server_that_is_killed_loses_nothing_and_no_letter_goes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(tmp_path)
    try:
        with opened(tmp_path, "temporal", SQLITE, address=server.address) as world:
            sent, held, waiting = world.invited(), world.held(), world.asked()
            server.kill()
            world.home.book(sent)
            world.home.release(held)
            world.home.decide(waiting)
            assert nudges(world.home) == sorted([sent, held, waiting])
            with monkeypatch.context() as hasty:
                hasty.setattr(core.engines.temporal.engine, "PATIENCE_SECONDS", 1.0)
                with pytest.raises(EngineAway):
                    world.run()
            assert nudges(world.home) == sorted([sent, held, waiting])
            server.start()
            world.run()
            world.move(HOLD)
            assert world.home.ending(sent) == ("completed", "booked")
            assert [world.letters(one) for one in (sent, held, waiting)] == [["invite"]] * 3
            world.move(REMINDED)
            assert [world.letters(one) for one in (held, waiting)] == [["invite", "reminder"]] * 2
            assert world.home.verify() == []
    finally:
        server.kill()


def start_worker(home: Home) -> subprocess.Popen[bytes]:
    """Start a worker as an operator does."""
    named = {"DAYBOOK_HOME": str(home.app.home), "DAYBOOK_ENGINE": "temporal", "DAYBOOK_HOLD_SECONDS": "0"}
    settings = {**named, "DAYBOOK_TEMPORAL": home.app.settings.temporal}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "core", "worker"], cwd=ROOT, env=os.environ | settings, **quiet)


def wait_for_letters(home: Home, count: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while len(home.letters()) < count:
        assert time.monotonic() < until, f"{len(home.letters())} of {count} letters"
        time.sleep(0.001)


def test_workers_killed_the_moment_a_letter_appears_send_each_letter_once(tmp_path: Path) -> None:
    with homes_on(SQLITE):
        home = driven_by_temporal(open_home(tmp_path / "home", now=None), shared_server().address)
        home.add_role()
        threads = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(MANY)]
        engine = home.app.engine("test")
        engine.run_until_idle()
        engine.stop()
        for one in threads:
            home.decide(one)
        workers = [start_worker(home)]
        try:
            for kills in range(KILLS):
                wait_for_letters(home, kills + 1)
                workers[-1].send_signal(signal.SIGKILL)
                workers.append(start_worker(home))
            wait_for_letters(home, MANY)
        finally:
            workers[-1].send_signal(signal.SIGTERM)
            for one in workers:
                one.wait()
        last = home.app.engine("test")
        last.run_until_idle()
        last.stop()
        keys = Counter(key for one in threads for key in home.mail(one))
        assert keys == {"invite": MANY}
        assert [one for one in threads if home.thread(one).thread.status != "waiting"] == []
        assert home.verify() == []
        close_homes()
