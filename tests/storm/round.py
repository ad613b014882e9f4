"""One round of the storm: a fresh home, workers that are killed, a last one that ends, and the count from outside."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from core.cli.demo_migration import THREAD, seed_migration
from core.errors import Refused
from tests.contracts.agents import dump, migrated
from tests.crash.agent_kills import assert_once
from tests.crash.processes import KILLED, Child, Nursery
from tests.crash.records import letters
from tests.homes import Home, open_home

APPLICANTS = 24
WORKERS = 3
SCALE = 40
MOST_SECONDS_ALIVE = {"local": 0.9, "temporal": 6.0}  # a worker of Temporal's begins later
LAST_SECONDS = 300


@dataclass(frozen=True)
class Workers:
    """Where workers come from: forks of a nursery, driven by the local engine or by a Temporal server's address."""

    nursery: Nursery
    temporal: str | None = None

    @property
    def most_seconds_alive(self) -> float:
        return MOST_SECONDS_ALIVE["local" if self.temporal is None else "temporal"]

    def start(self, home: Home) -> Child:
        return self.nursery.start("work", home, temporal=self.temporal)


@dataclass
class Tally:
    """What a storm did and what it left; `doubled` and `lost` are keys of letters, `problems` what else was found."""

    rounds: int = 0
    starts: int = 0
    kills: int = 0
    letters: int = 0
    doubled: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        """Nothing doubled, nothing lost, nothing else found, and somebody was really killed."""
        return self.kills > 0 and not (self.doubled or self.lost or self.problems)


def weather(folder: Path, workers: Workers, chance: random.Random, tally: Tally, until: float) -> None:
    """Play one round and add what it left to the tally; `until` is a time of the monotonic clock."""
    home = open_home(folder / "home")
    home.add_role()
    applicants = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(APPLICANTS)]
    target, _ = seed_migration(home.app, home.actor, scale=SCALE)
    while not _is_over(home) and time.monotonic() < until:
        _gust(home, workers, chance, tally)
        _answer(home, applicants, chance)
    _calm(home, workers, applicants)
    _count(home, applicants, target, folder, tally)
    tally.rounds += 1
    home.app.close()


def _gust(home: Home, workers: Workers, chance: random.Random, tally: Tally) -> None:
    """Start some workers over the same rows and kill each: one on sight of a letter, the others after a while."""
    before = len(home.letters())
    on_sight, *others = started = [workers.start(home) for _ in range(WORKERS)]
    tally.starts += len(started)
    ends = [(one, time.monotonic() + chance.random() * workers.most_seconds_alive) for one in others]
    latest = time.monotonic() + workers.most_seconds_alive
    while any(one.status is None for one in started):
        now = time.monotonic()
        if on_sight.lives_for(0.0005) and (len(home.letters()) > before or now > latest):
            on_sight.kill()
        for one, end in ends:
            if one.lives_for(0.0005) and now > end:
                one.kill()
    for one in started:
        tally.kills += one.wait() == KILLED
        if one.status not in (0, KILLED):
            tally.problems.append(f"a worker ended with {one.status}: {workers.nursery.log.read_text()[-400:]}")


def _answer(home: Home, applicants: list[str], chance: random.Random) -> None:
    """Decide and book some of what waits, as people do meanwhile."""
    for thread_id in (THREAD, *chance.sample(applicants, 8)):
        status = home.ending(thread_id)[0]
        try:
            if status == "awaiting_review":
                home.decide(thread_id)
            elif status == "waiting" and thread_id != THREAD and chance.random() < 0.5:
                home.book(thread_id)
        except Refused:
            continue  # a worker that lives got there first


def _is_over(home: Home) -> bool:
    return all(status in ("completed", "rejected") for (status,) in home.look("SELECT status FROM threads"))


def _calm(home: Home, workers: Workers, applicants: list[str]) -> None:
    """Answer everything and let one worker come to its end, again and again until nothing is left to do."""
    for _ in range(12):
        home.retry_at_once()  # the clock stands still here: what waits before it is tried again would wait for ever
        worker = workers.start(home)
        assert worker.wait(LAST_SECONDS) == 0, workers.nursery.log.read_text()[-400:]
        if _is_over(home):
            return
        for thread_id in (THREAD, *applicants):
            status = home.ending(thread_id)[0]
            if status == "awaiting_review":
                home.decide(thread_id)
            elif status == "waiting" and thread_id != THREAD:
                home.book(thread_id)


def _count(home: Home, applicants: list[str], target: Path, folder: Path, tally: Tally) -> None:
    box: Counter[str] = letters(home)
    expected = {f"{one}/invite" for one in applicants}
    invites = {key: count for key, count in box.items() if key.endswith("/invite")}
    tally.letters += sum(box.values())
    tally.doubled += sorted(key for key, count in box.items() if count > 1)
    tally.lost += sorted(expected - set(invites))
    tally.problems += [str(one) for one in home.verify()]
    if not _is_over(home):
        left = home.look(
            "SELECT id, status, step, wake_at, lease_holder FROM threads WHERE status NOT IN ('completed', 'rejected')"
        )
        tally.problems.append(f"not over: {left[:5]}")
        return
    (folder / "whole").mkdir()
    _, other = migrated(folder / "whole", SCALE)
    if dump(target) != dump(other):
        tally.problems.append("the migrated database is not what a run without kills leaves")
    assert_once(home, target)
