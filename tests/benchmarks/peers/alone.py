"""W1, seed, W2 and W4: one process at one home."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from sqlalchemy import Connection, select

from core.bootstrap import HOME_TENANT
from core.review.read import Approval
from core.threads.rows import threads
from core.views.runs import Wanted, list_runs
from core.views.threads import Filters, count_by_status, list_threads
from tests.benchmarks.peers.world import Stopwatch, World, in_ms, open_world, p50_p99_ms, rss_mb

ONE_BY_ONE = 20  # of each W1, so many are approved one by one: what it takes until that thread waits again
_ROWS = ("threads", "checkpoints", "checkpoint_sections", "thread_sections", "plan_steps", "approvals", "effects")
LOOKS = 5


def run_w1(given: argparse.Namespace) -> dict[str, object]:
    """Bring all threads from their opening to their end, in three sittings."""
    world = open_world(given)
    engine = world.app.engine("benchmark")
    ids = [world.work.thread_id(number) for number in range(given.threads)]
    cpu, watch = time.process_time(), Stopwatch()
    world.open_threads(range(given.threads))
    engine.run_until_idle()
    apply_s = watch.lap()
    questions = world.questions(ids)
    resumed = [_resume(world, engine.run_until_idle, questions.pop(one)) for one in ids[:ONE_BY_ONE]]
    for question in questions.values():
        world.approve(question)
    engine.run_until_idle()
    approve_s = watch.lap()
    for one in ids:
        world.book(one)
    engine.run_until_idle()
    book_s = watch.lap()
    ended = world.count("SELECT count(*) FROM threads WHERE outcome = 'booked'")
    rows = sum(world.count(f"SELECT count(*) FROM {table}") for table in _ROWS)
    line = {
        "threads": given.threads,
        "ended": ended,
        "wall_s": round(apply_s + approve_s + book_s, 3),
        "apply_s": round(apply_s, 3),
        "approve_s": round(approve_s, 3),
        "book_s": round(book_s, 3),
        **p50_p99_ms("resume", resumed),
        "cpu_s": round(time.process_time() - cpu, 3),
        "rows_per_thread": round(rows / given.threads, 1),
        "rss_mb": rss_mb(),
        "durability": _durability(world),
    }
    engine.stop()
    world.app.close()
    return line


def _resume(world: World, drive: Callable[[], object], question: Approval) -> float:
    """Approve one question and drive until its thread waits again; answer the seconds."""
    started = time.perf_counter()
    world.approve(question)
    drive()
    return time.perf_counter() - started


def _durability(world: World) -> str:
    with world.app.write() as tx:
        mode = tx.conn.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        flushed = tx.conn.exec_driver_sql("PRAGMA synchronous").scalar_one()
    return f"{mode}, synchronous={flushed}, keys and journal flushed"


def run_seed(given: argparse.Namespace) -> dict[str, object]:
    """Open all threads, end the oldest, say so, and wait to be killed."""
    world = open_world(given)
    engine = world.app.engine("benchmark")
    world.open_threads(range(given.done))
    engine.run_until_idle()
    ids = [world.work.thread_id(number) for number in range(given.done)]
    for question in world.questions(ids).values():
        world.approve(question)
    engine.run_until_idle()
    for one in ids:
        world.book(one)
    engine.run_until_idle()
    world.open_threads(range(given.done, given.threads))
    engine.run_until_idle()
    return {"ready": given.threads}


def run_w2(given: argparse.Namespace) -> dict[str, object]:
    """List all that wait, then resume some of them one by one."""
    world = open_world(given)
    started = time.perf_counter()
    with world.app.read() as conn:
        waiting = list_waiting(conn)
    listed, since_start = time.perf_counter() - started, time.time() - given.t_exec
    with world.app.read() as conn:
        list_threads(conn, world.app.vault, HOME_TENANT, Filters(status="awaiting_review"))
    with_names = time.perf_counter() - started - listed
    engine = world.app.engine("benchmark")
    questions = world.questions(waiting[: given.resumes])
    resumed = [_resume(world, engine.run_until_idle, questions[one]) for one in waiting[: given.resumes]]
    line = {
        "waiting": len(waiting),
        "list_all_s": round(listed, 4),
        "list_with_names_s": round(with_names, 4),
        "exec_to_listed_s": round(since_start, 3),
        **p50_p99_ms("resume", resumed),
        "rss_mb": rss_mb(),
    }
    engine.stop()
    world.app.close()
    return line


def list_waiting(conn: Connection) -> list[str]:
    """Answer the ids of all that wait for a person, oldest first: what other engines list too. No name is opened."""
    waiting = (threads.c.tenant_id == HOME_TENANT, threads.c.status == "awaiting_review")
    return list(conn.execute(select(threads.c.id).where(*waiting).order_by(threads.c.since_at, threads.c.id)).scalars())


def run_w4(given: argparse.Namespace) -> dict[str, object]:
    """Time the list of runs: the newest, the newest of a common and of a rare status, and the counts."""
    world = open_world(given)

    def page(status: str | None) -> Callable[[], object]:
        wanted = Wanted(status=status, sort="opened", is_descending=True)

        def look() -> object:
            with world.app.read() as conn:
                return list_runs(conn, world.app.vault, HOME_TENANT, wanted, None, world.actor.now)

        return look

    def count() -> object:
        with world.app.read() as conn:
            return count_by_status(conn, HOME_TENANT)

    line = {
        "threads": world.count("SELECT count(*) FROM threads"),
        "newest50_ms": _median_ms(page(None)),
        "status_common50_ms": _median_ms(page("awaiting_review")),
        "status_rare50_ms": _median_ms(page("completed")),
        "count_by_status_ms": _median_ms(count),
    }
    world.app.close()
    return line


def _median_ms(look: Callable[[], object]) -> float:
    took = []
    for _ in range(LOOKS):
        started = time.perf_counter()
        look()
        took.append(time.perf_counter() - started)
    return in_ms(statistics.median(took))
