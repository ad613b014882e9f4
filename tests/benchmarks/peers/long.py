"""W3: one thread of many durable steps of 2 KB, and the next step after a kill.

Its plan grows as an agent run's does, forty rows at a time, so the thousandth step reads and writes what the fifth did.
With the habit of messages each step keeps one, as this product keeps what a step brought: behind a receipt.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from core.bootstrap import HOME_TENANT
from core.clock import FIXTURE_START
from core.desk.intake import RULES
from core.desk.outside import Outside, receive_event
from core.keys import random_id
from core.steps import Advance, Finish, Kit, Outcome, Person, Revision, Rule, Step, Wait, Workflow, kept
from core.threads.open import NewThread, open_thread
from core.vault.subjects import add_subject, write_person
from tests.benchmarks.peers.seed_work import WINDOW, load_workload
from tests.benchmarks.peers.world import World, in_ms, open_world, rss_mb

THREAD = "long"
PLANNED = 40
MESSAGE, NOTE = 500, 2_000


@dataclass(frozen=True, slots=True)
class Long:
    """How far the thread is, how far its plan reaches, and the 2 KB that a step leaves."""

    n: int = field(default=0, metadata=kept(Rule.CLOSE_6_MONTHS))
    planned: int = field(default=0, metadata=kept(Rule.CLOSE_6_MONTHS))
    note: str = field(default="", metadata=kept(Rule.CLOSE_6_MONTHS))


@dataclass
class Count:
    """When each step began."""

    at: list[float] = field(default_factory=list)


def long_workflow(work: Any, total: int, count: Count, *, keeps_messages: bool) -> Workflow:
    """Make the workflow; `count` is told of every step."""

    def done(kit: Kit, state: Long) -> tuple[Long, tuple[str, ...]]:
        count.at.append(time.perf_counter())
        n = state.n + 1
        if keeps_messages:
            return replace(state, n=n), (kit.keep(work.text(f"m{n}", MESSAGE).encode(), "text/plain"),)
        return replace(state, n=n, note=work.text(f"s{n}", NOTE)), ()

    def plan(_kit: Kit, state: Long) -> Outcome:
        return _planned(state, total)

    def step(kit: Kit, state: Long) -> Outcome:
        if state.n + 1 == state.planned and state.planned < total:
            return _planned(state, total)
        state, receipts = done(kit, state)
        return Advance(state, f"Step {state.n} was done.", receipts=receipts)

    def close(kit: Kit, state: Long) -> Outcome:
        if kit.event("go") is None:
            until = kit.clock.now() + WINDOW
            return Wait(state, ("go",), until, until, "it ends")
        return Finish(done(kit, state)[0], "done", "completed", "The last step was done.")

    steps = (Step("plan", "Plan", plan), Step("step", "Step", step, repeats=True), Step("close", "Close", close))
    return Workflow("long", 1, Long, steps, events=("go",))


def _planned(state: Long, total: int) -> Advance:
    """Write the next rows; the row that writes them stays the first."""
    upto = min(total, state.n + PLANNED)
    ahead = tuple(f"Step number {n + 1}" for n in range(state.n, upto))
    return Advance(replace(state, planned=upto), "", plan=Revision(ahead, "the benchmark", "The next steps."))


def run_w3(given: argparse.Namespace) -> dict[str, object]:
    """Run all steps of one thread, and say what early and late ones took."""
    count = Count()
    world = _world(given, count)
    _open(world)
    engine = world.app.engine("benchmark")
    engine.run_until_idle()
    took = [later - earlier for earlier, later in pairwise(count.at)]
    early, middle, late = took[2:22], took[75:95], took[-20:]
    return {
        "steps": len(count.at),
        "step5_ms": in_ms(statistics.median(early)),
        "step85_ms": in_ms(statistics.median(middle or early)),
        "step_last_ms": in_ms(statistics.median(late)),
        "growth": round(statistics.median(late) / statistics.median(early), 2),
        "run_s": round(count.at[-1] - count.at[0], 3),
        "rss_mb": rss_mb(),
    }


def run_w3_resume(given: argparse.Namespace) -> dict[str, object]:
    """Resume the thread that a killed process left waiting, by one step."""
    count = Count()
    world = _world(given, count)
    engine = world.app.engine("benchmark")
    started = time.perf_counter()
    world.app.act(
        world.actor, "event", lambda tx: receive_event(tx, world.app.desk, world.actor, THREAD, Outside("go", {}))
    )
    engine.run_until_idle()
    took = time.perf_counter() - started
    engine.stop()
    world.app.close()
    return {"resume_after_restart_ms": in_ms(took), "ran": len(count.at)}


def _world(given: argparse.Namespace, count: Count) -> World:
    keeps_messages = given.habit == "messages"
    return open_world(given, long_workflow(load_workload(), given.steps, count, keeps_messages=keeps_messages))


def _open(world: World) -> None:
    subject_id = random_id("sub")
    world.app.vault.make(HOME_TENANT, [(subject_id, THREAD, RULES)])
    keys = world.app.vault.keys(HOME_TENANT, THREAD)
    with world.app.write() as tx:
        add_subject(tx, HOME_TENANT, subject_id, FIXTURE_START)
        open_thread(tx, keys, NewThread(THREAD, world.workflow, "Many steps", None, {}, Long()), FIXTURE_START)
        write_person(tx, keys, Person(None, None, {}, 1))
