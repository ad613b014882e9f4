"""A home on a clock that the test moves, and the engine that drives it. Each claim lives in threads of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from core.clock import FIXTURE_START, write_instant
from core.desk.clock import advance_clock
from core.desk.desk import Doors
from core.desk.forking import fork_thread
from core.desk.people import set_access
from core.engines.engine import Engine
from core.steps import Kit, Outcome, Perform, Step, Workflow
from core.threads.rows import Thread
from tests.contracts.tiny import Slip
from tests.databases import homes_on
from tests.fakes import FakeAdapter
from tests.homes import Home, open_home
from tests.temporal_server import shared_server

HOLD = timedelta(minutes=15)
WINDOW = timedelta(hours=48)
REMINDED = timedelta(hours=24)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
GONE = "w-gone"


@dataclass
class World:
    """One home and its engine. `outside` is what its tool reaches; `plays` are steps that a claim brings along."""

    home: Home
    engine: Engine
    outside: FakeAdapter
    plays: dict[str, Perform]
    names: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Let the engine drive all that is due."""
        self.engine.run_until_idle()

    def move(self, span: timedelta) -> None:
        """Move the clock, and let the engine drive what is due then."""
        app, actor = self.home.app, self.home.actor
        app.act(actor, "clock", lambda tx: advance_clock(tx, actor, span, held_at=None))
        self.run()

    @property
    def now(self) -> datetime:
        """What the home's clock shows."""
        return self.home.actor.now

    def asked(self, role_id: str | None = None) -> str:
        """Bring a new applicant to their question, and answer the thread."""
        number = len(self.names) + 1
        self.names.append(f"Ann Example{number}")
        more = {} if role_id is None else {"role_id": role_id}
        thread_id = self.home.apply(self.names[-1], f"ann{number}@example.com", **more)
        self.run()
        return thread_id

    def held(self) -> str:
        """Bring a new applicant to an approval that is held."""
        thread_id = self.asked()
        self.home.decide(thread_id)
        self.run()
        return thread_id

    def invited(self) -> str:
        """Bring a new applicant to an invite that was sent."""
        thread_id = self.held()
        self.move(HOLD)
        return thread_id

    def play(self, name: str, step: Callable[[Kit, Any], Outcome]) -> str:
        """Open a thread whose step is this one."""
        thread_id = f"play/{name}"
        self.plays[thread_id] = step
        return self.home.begin(self.home.app.parts.workflows["play"], thread_id, Slip())

    def row(self, thread_id: str) -> Thread:
        """Answer a thread's row."""
        return self.home.thread(thread_id).thread

    def letters(self, thread_id: str) -> list[str]:
        """Answer the last words of the keys of a thread's letters; no key has two."""
        return sorted(self.home.mail(thread_id))

    def fork(self, thread_id: str, at: int) -> str:
        """Fork a run into a sandbox."""
        actor, app = self.home.actor, self.home.app
        doors = Doors(app.read, app.write)
        app.attempt(actor, "fork", lambda: fork_thread(doors, app.desk, actor, thread_id, at, sandbox=True))
        return f"{thread_id}.fork-1"

    def take_access(self, email: str) -> None:
        """Let a person act no longer."""
        actor = self.home.actor
        self.home.app.act(actor, "access", lambda tx: set_access(tx, actor, email, None))

    def die_holding(self, thread_id: str, *, deaths: int = 0) -> None:
        """Leave a lease as a worker leaves it that is killed while it performs the thread's step."""
        self.home.change(
            "UPDATE threads SET status = 'running', lease_holder = :holder, lease_no = lease_no + 1, lease_pulse = 1,"
            " wake_at = :now, deaths = :deaths WHERE id = :id",
            holder=GONE, now=write_instant(self.now), deaths=deaths, id=thread_id,
        )  # fmt: skip
        (self.home.app.locks / f"{GONE}.lock").write_text(f"{self.home.tenant_id} {thread_id}\n")


@contextmanager
def opened(folder: Path, engine: str, database: str, *, address: str | None = None) -> Iterator[World]:
    """Open a home on one database and let one engine drive it until the block ends."""
    with homes_on(database):
        home = on_moved_clock(open_home(folder / "home", now=None, hold_seconds=int(HOLD.total_seconds())))
        if engine == "temporal":
            home = driven_by_temporal(home, address or shared_server().address)
        plays: dict[str, Perform] = {}
        outside = FakeAdapter(honours_keys=False)
        home = home.with_code(_workflow(plays), tool=outside)
        home.add_role()
        driving = home.app.engine(engine)
        try:
            yield World(home, driving, outside, plays)
        finally:
            driving.stop()
            home.app.close()


def on_moved_clock(home: Home) -> Home:
    """Let a home's tenant live on a clock that stands until somebody moves it."""
    home.change(
        "UPDATE tenants SET clock = 'fixture', clock_start_at = :start WHERE id = :id",
        start=write_instant(FIXTURE_START), id=home.tenant_id,
    )  # fmt: skip
    return home


def driven_by_temporal(home: Home, address: str) -> Home:
    """The same home, driven by Temporal."""
    settings = home.app.settings.model_copy(update={"engine": "temporal", "temporal": address})
    return replace(home, app=replace(home.app, settings=settings))


def _workflow(plays: dict[str, Perform]) -> Workflow:
    """Make a workflow of which each thread plays what its claim brought along."""

    def play(kit: Kit, state: Slip) -> Outcome:
        return plays[kit.thread_id](kit, state)

    def then(kit: Kit, state: Slip) -> Outcome:
        return plays[f"{kit.thread_id} then"](kit, state)

    steps = (Step("play", "Play", play), Step("then", "Then", then))
    return Workflow(name="play", version=1, state=Slip, steps=steps)
