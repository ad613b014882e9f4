"""The local engine: asks, tenant by tenant, what is due, and takes over from workers that are gone.

APScheduler is the metronome and nothing more: every timer is a row.
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

from core.clock import real_now
from core.db.store import Watch
from core.duties.duties import Act
from core.engines import worker as workers
from core.engines.duties import Duties
from core.engines.worker import Only, Worker
from core.nudges.nudges import drive_locally, is_driven_elsewhere
from core.people.tenants import TenantRow
from core.runner.lanes import Lanes
from core.runner.parts import Parts

log = structlog.get_logger()

TICK_SECONDS = 1.0
WATCH_SECONDS = 0.1


class LocalEngine:
    """One worker. `run_until_idle` drives it by hand; `start` gives it a metronome.

    `calls` bounds how many threads it carries on side by side where the model leaves the machine.
    """

    def __init__(  # noqa: PLR0913 - all that one worker is made of
        self,
        parts: Parts,
        locks: Path,
        kind: str,
        *,
        frozen: datetime | None = None,
        only: Only | None = None,
        duties: Mapping[str, Act] = MappingProxyType({}),
        calls: int = 1,
    ) -> None:
        self._store = parts.store
        self._frozen = frozen
        self._take_the_reins()
        self._worker = Worker(parts, locks, kind, frozen=frozen, only=only)
        self._duties = Duties(parts, duties, self._worker.id)
        self._lanes = Lanes(self._worker.runner, parts.store, calls if parts.model.leaves_machine else 1)
        self._driving = threading.Lock()
        self._scheduler: Any = None
        self._watcher: Watch | None = None

    def _take_the_reins(self) -> None:
        with self._store.read() as conn:
            if not is_driven_elsewhere(conn):
                return
        with self._store.write() as tx:
            drive_locally(tx, real_now())
        log.info("the local engine drives this home now; another one did")

    @property
    def worker_id(self) -> str:
        """The id of this worker's row."""
        return self._worker.id

    def run_until_idle(self) -> int:
        """Drive everything that is due now, and answer how many claims that took.

        It neither sleeps nor waits for living leases.
        """
        total = 0
        with self._driving, self._beating():
            while not self._worker.runner.is_stopping:
                self._worker.take_over(own=True)
                claimed = sum(self._run_tenant(tenant) for tenant in self._worker.list_tenants())
                if claimed == 0:
                    break
                total += claimed
            self._worker.send_gathered()
        return total

    @contextmanager
    def _beating(self) -> Iterator[None]:
        """Give signs of life while it drives; a metronome does so by itself."""
        if self._scheduler is not None:
            yield
            return
        with self._worker.beating():
            yield

    def _run_tenant(self, tenant: TenantRow) -> int:
        claimed = self._lanes.run_due(tenant.id, lambda: tenant.now(self._frozen))
        return claimed + self._duties.run_due(tenant, tenant.now(self._frozen), self._worker.has_left)

    def start(self) -> None:
        """Start the metronome."""
        # Loaded here: nine of ten commands start no metronome.
        from core.engines.metronome import Metronome  # noqa: PLC0415

        # A tick that finds the last one still at work is left out, as is right; nobody needs to be told.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._scheduler = Metronome()
        self._scheduler.every(TICK_SECONDS, self._tick, at_once=True)
        self._scheduler.every(WATCH_SECONDS, self._watch)
        self._scheduler.every(workers.PULSE_SECONDS, self._worker.beat)
        self._scheduler.start()

    def _tick(self) -> None:
        if self._driving.locked():
            return  # a group is being driven; it asks again by itself
        try:
            self.run_until_idle()
        except Exception:  # the metronome must outlive one bad tick; what failed is in rows
            log.exception("tick failed", worker=self.worker_id)

    def _watch(self) -> None:
        """Tick at once when another process committed something worth looking at."""
        if self._watcher is None:
            self._watcher = self._store.watch()
        if self._watcher.has_moved():
            self._tick()

    def stop(self) -> None:
        """Stop the metronome, wait for the step in hand, and leave no row that says this worker lives."""
        self._worker.runner.is_stopping = True
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
        with self._driving:
            self._worker.end()
        if self._watcher is not None:
            self._watcher.close()
