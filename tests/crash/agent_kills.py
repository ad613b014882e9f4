"""A migration under a killer: its worker is killed on sight; what it leaves equals what a run without kills leaves."""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.cli.demo_migration import THREAD, seed_migration
from tests.contracts.agents import ask, dump, migrated
from tests.crash.processes import KILLED, Child, Nursery
from tests.crash.records import assert_clean
from tests.homes import Home

MOST_STARTS = 400


def migrate_under_kills(home: Home, nursery: Nursery, scale: int, kills: int, folder: Path) -> int:
    """Run a migration to its end while its worker is killed so many times, and answer how many deaths there were."""
    target, _ = seed_migration(home.app, home.actor, scale=scale)
    deaths = 0
    for start in range(MOST_STARTS):
        worker = nursery.start("work", home)
        if deaths < kills:
            kill_later(home, worker, start)
        if worker.wait(240) == 0:
            status = home.ending(THREAD)[0]
            if status == "awaiting_review":
                home.decide(THREAD)
            elif status == "ready":  # a target that was locked as its writer died is tried again, later
                home.retry_at_once()
            else:
                break
            continue
        assert worker.status == KILLED, nursery.log.read_text()
        deaths += 1
    (folder / "whole").mkdir()
    _, other = migrated(folder / "whole", scale)
    assert home.ending(THREAD) == ("completed", "done")
    assert dump(target) == dump(other)
    assert_once(home, target)
    assert_clean(home)
    return deaths


def kill_later(home: Home, worker: Child, start: int) -> None:
    """Kill the worker a while after it took the run; the while differs from start to start, the same in every run."""
    after = int(hashlib.sha256(str(start).encode()).hexdigest()[:4], 16) / 0xFFFF * 0.35
    while worker.lives_for(0.005) and home.ending(THREAD)[0] != "running":
        pass  # how long it takes to be at work is the machine's affair
    if worker.lives_for(after):
        worker.kill()


def assert_once(home: Home, target: Path) -> None:
    """Expect each batch once in the database, under the key that the ledger has as done once."""
    done = [entry.key for entry in home.thread(THREAD).effects if entry.status == "done"]
    keys = [row[0] for row in ask(target, "SELECT key FROM _daybook_keys")]
    batches = [key for key in done if key.endswith("/copy_rows")]
    assert sorted(key for key in keys if key.endswith("/copy_rows")) == sorted(batches)
    assert len(batches) == len(set(batches))
