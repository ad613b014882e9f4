"""The local engine: asks, tenant by tenant, what is due, and takes over from workers that are gone.

APScheduler is the metronome and nothing more: every timer is a row.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import structlog
from sqlalchemy import delete, insert, select, update

from core.audit.note import Note, note
from core.clock import pulse, real_now
from core.db.locks import LifeLock, read_marks
from core.db.store import Tx, Watch
from core.effects.ahead import hold_against_journal
from core.engines.duties import Act, Duties
from core.keys import random_id
from core.people.tenants import TenantRow, list_tenants
from core.receipts.keep import sweep_orphans
from core.runner.lanes import Lanes
from core.runner.parts import Parts
from core.runner.runner import Runner
from core.threads.claim import give_back, renew, take_over
from core.threads.tables import WorkerRow

_workers = WorkerRow.__table__  # type: ignore[attr-defined]
log = structlog.get_logger()

TICK_SECONDS = 1.0
WATCH_SECONDS = 0.1
PULSE_SECONDS = 5.0
LONGEST_STEP_SECONDS = 15 * 60.0


def hold_all_against_journal(parts: Parts, frozen: datetime | None) -> None:
    """Hold every tenant's ledger against the effect journal; what that knows and the ledger does not is unknown."""
    with parts.store.read() as conn:
        tenants = list_tenants(conn)
    for tenant in tenants:
        with parts.write() as tx:
            unreadable = hold_against_journal(tx, parts.journal, tenant.id, tenant.now(frozen))
        if unreadable:
            log.warning(
                "lines of the effect journal cannot be read; what they named is not known here; run verify",
                tenant=tenant.id, lines=len(unreadable),
            )  # fmt: skip


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
        tenant_id: str | None = None,
        duties: Mapping[str, Act] = MappingProxyType({}),
        calls: int = 1,
    ) -> None:
        self._parts = parts
        self._locks = locks
        self._kind = kind
        self._frozen = frozen
        self._only = tenant_id
        self.worker_id = random_id("w")
        self._life = LifeLock(locks, self.worker_id)
        self._give_life_up = parts.store.dialect.hold_life(parts.store.engine, self._life)
        self._runner = Runner(parts, self.worker_id, self._life)
        self._duties = Duties(parts, duties, self.worker_id)
        self._lanes = Lanes(self._runner, parts.store, calls if parts.model.leaves_machine else 1)
        self._driving = threading.Lock()
        self._scheduler: Any = None
        self._watcher: Watch | None = None
        hold_all_against_journal(parts, frozen)
        self._register()

    def _register(self) -> None:
        """Write this worker's row, and remove what the killed left: rows, half-written files, blobs without a row."""
        with self._parts.write() as tx:
            self._forget_the_dead(tx)
            tx.conn.execute(
                insert(_workers).values(
                    id=self.worker_id,
                    kind=self._kind,
                    host=socket.gethostname(),
                    pid=os.getpid(),
                    pulse=pulse(),
                    started_at=real_now(),
                    seen_at=real_now(),
                )
            )
        with self._parts.store.read() as conn:
            swept = sweep_orphans(conn, self._parts.blobs, self._parts.blobs_folder)
        left = sum(sweep() for sweep in self._parts.sweeps)
        log.info(
            "worker started", worker=self.worker_id, kind=self._kind, orphan_blobs_removed=len(swept),
            unfinished_files_removed=left,
        )  # fmt: skip

    def _forget_the_dead(self, tx: Tx) -> None:
        """Remove the rows and lock files of workers that are gone; not while a lease still names one."""
        holders = tx.conn.exec_driver_sql("SELECT DISTINCT lease_holder FROM threads WHERE lease_holder IS NOT NULL")
        held = set(holders.scalars())
        known = tx.conn.execute(select(_workers.c.id)).scalars().all()
        dead = [one for one in known if one not in held and self._is_gone(one)]
        tx.conn.execute(delete(_workers).where(_workers.c.id.in_(dead)))
        for one in dead:
            (self._locks / f"{one}.lock").unlink(missing_ok=True)

    def run_until_idle(self) -> int:
        """Drive everything that is due now, and answer how many claims that took.

        It neither sleeps nor waits for living leases.
        """
        total = 0
        with self._driving, self._beating():
            while not self._runner.is_stopping:
                self._take_over()
                claimed = sum(self._run_tenant(tenant) for tenant in self._tenants())
                if claimed == 0:
                    break
                total += claimed
        return total

    @contextmanager
    def _beating(self) -> Iterator[None]:
        """Renew this worker's leases while it drives, whatever its steps take; a metronome does so by itself."""
        if self._scheduler is not None:
            yield
            return
        driven = threading.Event()
        beating = threading.Thread(target=self._beat_until, args=(driven,), name="pulse", daemon=True)
        beating.start()
        try:
            yield
        finally:
            driven.set()
            beating.join()

    def _beat_until(self, driven: threading.Event) -> None:
        while not driven.wait(PULSE_SECONDS):
            try:
                self._beat()
            except Exception:  # the next beat may get through; without any the lease runs out, which is in rows
                log.exception("beat failed", worker=self.worker_id)

    def _run_tenant(self, tenant: TenantRow) -> int:
        claimed = self._lanes.run_due(tenant.id, lambda: tenant.now(self._frozen))
        return claimed + self._duties.run_due(tenant, tenant.now(self._frozen), self._has_left)

    def _has_left(self, holder: str) -> bool:
        """Say whether nobody does any more what this worker took.

        Nothing is being driven now, so what this worker holds itself is left from a tick that broke off.
        """
        return holder == self.worker_id or self._is_gone(holder)

    def _tenants(self) -> list[TenantRow]:
        with self._parts.store.read() as conn:
            return [one for one in list_tenants(conn) if self._only in (None, one.id)]

    def _take_over(self) -> None:
        with self._parts.store.read() as conn:
            held = (
                conn.exec_driver_sql("SELECT DISTINCT tenant_id FROM threads WHERE lease_holder IS NOT NULL")
                .scalars()
                .all()
            )
        for tenant in self._tenants():
            if tenant.id in held:
                self._take_over_in(tenant)

    def _take_over_in(self, tenant: TenantRow) -> None:
        now = tenant.now(self._frozen)
        with self._parts.write() as tx:
            taken = take_over(
                tx,
                tenant.id,
                now,
                is_gone=self._has_left,
                performed_by=lambda holder: () if holder == self.worker_id else read_marks(self._locks, holder),
            )
            for one in taken:
                detail = {"from": one.thread.lease_holder, "died": one.died, "parked": one.parked}
                note(tx, Note(tenant.id, now, "worker", "lease_taken_over", one.thread.id, detail))

    def start(self) -> None:
        """Start the metronome."""
        # Loaded here: nine of ten commands start no metronome.
        from core.engines.metronome import Metronome  # noqa: PLC0415

        # A tick that finds the last one still at work is left out, as is right; nobody needs to be told.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._scheduler = Metronome()
        self._scheduler.every(TICK_SECONDS, self._tick, at_once=True)
        self._scheduler.every(WATCH_SECONDS, self._watch)
        self._scheduler.every(PULSE_SECONDS, self._beat)
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
            self._watcher = self._parts.store.watch()
        if self._watcher.has_moved():
            self._tick()

    def _is_gone(self, worker_id: str) -> bool:
        return self._parts.store.is_gone(self._locks, worker_id)

    def _beat(self) -> None:
        with self._parts.store.write() as tx:
            tx.conn.execute(
                update(_workers).where(_workers.c.id == self.worker_id).values(pulse=pulse(), seen_at=real_now())
            )
            # A slow step keeps its lease; one that gives no sign for a quarter of an hour hangs, and loses it.
            renew(tx, self.worker_id, but_not=self._runner.hands.list_hanging(LONGEST_STEP_SECONDS))

    def stop(self) -> None:
        """Stop the metronome, wait for the step in hand, and leave no row that says this worker lives."""
        self._runner.is_stopping = True
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
        with self._driving, self._parts.store.write() as tx:
            give_back(tx, self.worker_id)
            tx.conn.execute(delete(_workers).where(_workers.c.id == self.worker_id))
        if self._watcher is not None:
            self._watcher.close()
        self._give_life_up()
        self._life.release()
