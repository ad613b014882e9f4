"""The Temporal engine: a worker like the local one's, but what is due is told by Temporal and never asked of the rows.

The metronome does what no workflow does: duties, the worker's own pulse, taking over from workers that are gone, and
nudging again what nobody took.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import structlog

from core.clock import pulse, real_now
from core.db.store import Watch
from core.duties.duties import Act
from core.engines import worker as workers
from core.engines.duties import Duties
from core.engines.temporal.activities import Steps
from core.engines.temporal.line import Line
from core.engines.worker import Worker
from core.errors import EngineAway
from core.nudges.nudges import TEMPORAL, drive_by, has_nudges, list_due, nudge_again
from core.runner.parts import Parts
from core.threads.claim import has_due, holds_any

log = structlog.get_logger()

TICK_SECONDS = 1.0
WATCH_SECONDS = 0.1
OVERDUE_SECONDS = 30.0
MOST_OVERDUE = 1_000
POLL_SECONDS = 0.02
# A server that does not answer for so long is not there, for whoever waits until nothing is due.
PATIENCE_SECONDS = 15.0
LANES = 4


class TemporalEngine:
    """One worker that Temporal drives. `calls` bounds how many steps it takes at once where the model is outside."""

    def __init__(  # noqa: PLR0913 - all that one worker is made of
        self,
        parts: Parts,
        locks: Path,
        kind: str,
        *,
        address: str,
        frozen: datetime | None = None,
        duties: Mapping[str, Act] = MappingProxyType({}),
        calls: int = 1,
    ) -> None:
        self._store = parts.store
        self._frozen = frozen
        self._address = address
        self._worker = Worker(parts, locks, kind, frozen=frozen, lets_go=True)
        with self._store.write() as tx:
            home_id = drive_by(tx, TEMPORAL, real_now())
        self._steps = Steps(self._worker)
        lanes = max(calls, LANES) if parts.model.leaves_machine else LANES
        self._line = Line(address, home_id, self._store, self._steps, self._worker.id, lanes)
        self._duties = Duties(parts, duties, self._worker.id)
        self._overdue: dict[tuple[str, str], int] = {}
        self._ticking = threading.Lock()
        self._scheduler: Any = None
        self._watcher: Watch | None = None

    @property
    def worker_id(self) -> str:
        """The id of this worker's row."""
        return self._worker.id

    def run_until_idle(self) -> int:
        """Wait until Temporal has driven everything that is due now, and answer how many claims that took here.

        Raises EngineAway where the server does not answer.
        """
        before = self._steps.claims
        ran = 0
        with self._beating():
            self._say_what_is_due()
            self._line.open()
            while not self._worker.runner.is_stopping:
                done = self._tick_once()
                ran += done
                self._line.look()
                self._wait_until_idle()
                if done == 0:
                    break
            self._worker.send_gathered()
        return self._steps.claims - before + ran

    @contextmanager
    def _beating(self) -> Iterator[None]:
        """Give signs of life while it drives; a metronome does so by itself."""
        if self._scheduler is not None:
            yield
            return
        with self._worker.beating():
            yield

    def _say_what_is_due(self) -> None:
        """Nudge what DAYBOOK_NOW makes due: whoever sets it writes no row."""
        if self._frozen is None:
            return
        for tenant in self._worker.list_tenants():
            with self._store.read() as conn:
                due = list_due(conn, tenant.id, tenant.now(self._frozen), most=MOST_OVERDUE)
            if due:
                with self._store.write() as tx:
                    nudge_again(tx, tenant.id, due)

    def _wait_until_idle(self) -> None:
        pause, begun_at = threading.Event(), pulse()
        while not self._worker.runner.is_stopping:
            if not self._steps.at_work and self._is_idle():
                return
            if min(self._line.lost_for, pulse() - begun_at) > PATIENCE_SECONDS:
                raise EngineAway(f"The Temporal server at {self._address} does not answer; what is due waits for it.")
            pause.wait(POLL_SECONDS)

    def _is_idle(self) -> bool:
        tenants = self._worker.list_tenants()
        with self._store.read() as conn:
            is_busy = has_nudges(conn) or holds_any(conn, self._worker.id)
            return not is_busy and not any(has_due(conn, one.id, one.now(self._frozen)) for one in tenants)

    def start(self) -> None:
        """Start the line to the server and the metronome."""
        # Loaded here: nine of ten commands start no metronome.
        from core.engines.metronome import Metronome  # noqa: PLC0415

        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._say_what_is_due()
        self._line.open()
        self._scheduler = Metronome()
        self._scheduler.every(TICK_SECONDS, self._tick, at_once=True)
        self._scheduler.every(WATCH_SECONDS, self._watch)
        self._scheduler.every(workers.PULSE_SECONDS, self._worker.beat)
        self._scheduler.every(OVERDUE_SECONDS, self._nudge_overdue)
        self._scheduler.start()

    def _tick(self) -> None:
        try:
            self._tick_once()
        except Exception:  # the metronome must outlive one bad tick; what failed is in rows
            log.exception("tick failed", worker=self.worker_id)

    def _tick_once(self) -> int:
        with self._ticking:
            self._worker.take_over(own=False)
            if not self._steps.at_work:
                self._worker.send_gathered()
            tenants = self._worker.list_tenants()
            return sum(self._duties.run_due(one, one.now(self._frozen), self._worker.is_gone) for one in tenants)

    def _watch(self) -> None:
        """Tell the server at once when another process committed something worth looking at."""
        if self._watcher is None:
            self._watcher = self._store.watch()
        if self._watcher.has_moved():
            self._line.look()

    def _nudge_overdue(self) -> None:
        """Nudge again what was due half a minute ago and was taken by nobody since.

        Its workflow was terminated, or the server lost it; one that is only slow looks once more than it must.
        """
        overdue: dict[tuple[str, str], int] = {}
        for tenant in self._worker.list_tenants():
            with self._store.read() as conn:
                due = list_due(conn, tenant.id, tenant.now(self._frozen), most=MOST_OVERDUE)
            overdue |= {(tenant.id, thread_id): lease for thread_id, lease in due.items()}
            still = [one for one, lease in due.items() if self._overdue.get((tenant.id, one)) == lease]
            if still:
                with self._store.write() as tx:
                    nudge_again(tx, tenant.id, still)
        self._overdue = overdue

    def stop(self) -> None:
        """Stop the metronome, wait for the steps in hand, and leave no row that says this worker lives."""
        self._worker.runner.is_stopping = True
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
        self._line.close()
        self._worker.end()
        if self._watcher is not None:
            self._watcher.close()
