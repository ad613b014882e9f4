"""A home under the runner's folder that follows the seed workload, and what a person does in one sitting."""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.bootstrap import HOME_TENANT, App, open_app
from core.clock import FIXTURE_START
from core.desk.decisions import Answer, decide_approval
from core.desk.desk import Actor
from core.desk.intake import RULES
from core.desk.outside import Outside, receive_event
from core.errors import AlreadyDecided, StaleVersion
from core.keys import random_id
from core.review.read import Approval, list_approvals, of_threads
from core.settings import Settings
from core.steps import Person, Workflow
from core.threads.open import NewThread, open_thread
from core.vault.subjects import add_subject, write_person
from tests.benchmarks.peers.seed_work import Application, Sink, load_workload, seed_workflow

TOGETHER = 32  # threads that one transaction opens, as intake takes a batch


@dataclass(frozen=True)
class World:
    """One opened home, and the runner's workload in it."""

    app: App
    workflow: Workflow
    work: Any

    @cached_property
    def actor(self) -> Actor:
        """The home's owner."""
        return self.app.actor(HOME_TENANT, None, "command line")

    def open_threads(self, numbers: Iterable[int]) -> None:
        """Open threads that are due at once, each with a subject and keys of its own."""
        all_named = [(random_id("sub"), self.work.thread_id(number), number) for number in numbers]
        for start in range(0, len(all_named), TOGETHER):
            named = all_named[start : start + TOGETHER]
            self.app.vault.make(HOME_TENANT, [(subject, thread, RULES) for subject, thread, _ in named])
            with self.app.write() as tx:
                for subject, thread, number in named:
                    keys = self.app.vault.keys(HOME_TENANT, thread)
                    form = self.work.application(number)["form"]
                    add_subject(tx, HOME_TENANT, subject, self.actor.now)
                    new = NewThread(thread, self.workflow, f"Screen {thread}", None, {}, Application(form))
                    open_thread(tx, keys, new, self.actor.now)
                    write_person(tx, keys, Person(form["name"], None, {}, 1))

    def questions(self, thread_ids: Sequence[str]) -> dict[str, Approval]:
        """Answer the pending question of each thread that has one."""
        with self.app.read() as conn:
            found = list_approvals(conn, self.app.vault, HOME_TENANT, of_threads(thread_ids))
        return {one.thread_id: one for one in found if one.status == "pending"}

    def approve(self, question: Approval) -> bool:
        """Approve in a transaction of its own; False where somebody was first."""
        answer = Answer("approve", question.version)
        try:
            self.app.act(
                self.actor, "decide", lambda tx: decide_approval(tx, self.app.desk, self.actor, question.id, answer)
            )
        except (AlreadyDecided, StaleVersion):
            return False
        return True

    def book(self, thread_id: str) -> None:
        """Let the booking arrive, in a transaction of its own."""
        outside = Outside("booking", {"slot": self.work.SLOT})
        self.app.act(self.actor, "event", lambda tx: receive_event(tx, self.app.desk, self.actor, thread_id, outside))

    def count(self, sql: str) -> int:
        """Answer one number of the database."""
        with self.app.read() as conn:
            return int(conn.exec_driver_sql(sql).scalar_one())


def open_world(given: argparse.Namespace, workflow: Workflow | None = None) -> World:
    """Open the home in the runner's folder: ordinary settings, no hold, letters to the runner's sink."""
    work = load_workload()
    workflow = workflow or seed_workflow(work)
    settings = Settings(home=given.dir / "home", now=FIXTURE_START, hold_seconds=0, _env_file=None)  # type: ignore[call-arg]
    app = open_app(settings)
    adapters = app.parts.adapters | ({"mail": Sink(given.sink)} if given.sink else {})
    parts = replace(app.parts, adapters=adapters, workflows={workflow.name: workflow})
    desk = replace(app.desk, workflows=parts.workflows, check_event={workflow.name: lambda _name, _data: None})
    return World(replace(app, parts=parts, desk=desk), workflow, work)


def p50_p99_ms(name: str, seconds: Sequence[float]) -> dict[str, float]:
    """Answer the median and the 99th percentile, in ms."""
    ordered = sorted(seconds)
    at_99 = ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))]
    return {f"{name}_p50_ms": in_ms(statistics.median(ordered)), f"{name}_p99_ms": in_ms(at_99)}


def in_ms(seconds: float) -> float:
    """Answer seconds as ms, to the microsecond."""
    return round(seconds * 1000, 3)


def rss_mb() -> float:
    """Answer the most memory that this process held."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


class Stopwatch:
    """Seconds of one stretch after the other."""

    def __init__(self) -> None:
        self._at = time.perf_counter()

    def lap(self) -> float:
        """Answer how long the stretch was that ends now."""
        before, self._at = self._at, time.perf_counter()
        return self._at - before
