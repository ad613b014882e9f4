"""W5: one of several processes at one home, each with threads of its own, free or all after the same ones."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.peers.world import World, open_world, rss_mb

LONGEST_S = 100.0


def run_w5(given: argparse.Namespace) -> dict[str, object]:
    """Bring this process's threads to their end beside the others'."""
    world = open_world(given)
    engine = world.app.engine("benchmark")
    numbers = range(given.me, given.threads, given.procs)
    ids = [world.work.thread_id(number) for number in numbers]
    _meet(given, "start")
    begun = time.time()
    world.open_threads(numbers)
    _drive_until(engine.run_until_idle, lambda: _stand(world, ids, "awaiting_review", "waiting", "completed"))
    lost_races = 0
    if given.contested:
        _meet(given, "seeded")
        everybody = [world.work.thread_id(number) for number in range(given.threads)]
        lost_races = _approve(world, everybody)
        engine.run_until_idle()
        _meet(given, "approved")
    else:
        _approve(world, ids)
    _drive_until(engine.run_until_idle, lambda: _stand(world, ids, "waiting", "completed"))
    for one in ids:
        world.book(one)
    _drive_until(engine.run_until_idle, lambda: _stand(world, ids, "completed"))
    over = time.time()
    ended = _count(world, ids, "completed")
    engine.stop()
    world.app.close()
    return {"t0": begun, "t1": over, "errors": 0, "ended": ended, "lost_races": lost_races, "rss_mb": rss_mb()}


def _approve(world: World, ids: Sequence[str]) -> int:
    """Approve what waits among these threads, one by one; answer how often somebody else was first."""
    questions = world.questions(ids)
    return sum(not world.approve(questions[one]) for one in ids if one in questions)


def _drive_until(drive: Callable[[], object], is_over: Callable[[], bool]) -> None:
    """Drive what is due until all stand where they should: another process may hold some of them."""
    deadline = time.monotonic() + LONGEST_S
    while True:
        drive()
        if is_over():
            return
        if time.monotonic() > deadline:
            raise SystemExit("Threads did not get where they should within 100 s.")
        time.sleep(0.002)


def _stand(world: World, ids: Sequence[str], *statuses: str) -> bool:
    return sum(_count(world, ids, status) for status in statuses) == len(ids)


def _count(world: World, ids: Sequence[str], status: str) -> int:
    with world.app.read() as conn:
        rows = conn.exec_driver_sql("SELECT id FROM threads WHERE status = ?", (status,)).scalars()
        return len(set(rows) & set(ids))


def _meet(given: argparse.Namespace, name: str) -> None:
    """Wait until every process came to this point."""
    (Path(given.barrier) / f"{name}.{given.me}").touch()
    while len(list(Path(given.barrier).glob(f"{name}.*"))) < given.procs:
        time.sleep(0.005)
