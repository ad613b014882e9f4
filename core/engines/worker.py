"""One worker of a home, whatever drives it: its row, its life, its pulse, what it takes over from those that died.

An engine decides when something is driven; a worker makes sure that whatever is driven can be taken over.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import structlog
from sqlalchemy import Connection, delete, insert, select, update

from core.audit.note import Note, note
from core.clock import pulse, real_now
from core.db.locks import LifeLock, read_marks
from core.db.store import Tx
from core.effects.ahead import hold_against_journal
from core.keys import random_id
from core.people.tenants import TenantRow, list_tenants
from core.receipts.keep import sweep_orphans
from core.runner.overnight import send_gathered
from core.runner.parts import Parts
from core.runner.runner import Runner
from core.threads.claim import give_back, renew, take_over
from core.threads.tables import WorkerRow

_workers = WorkerRow.__table__  # type: ignore[attr-defined]
log = structlog.get_logger()

Only = Callable[[Connection], Container[str]]  # which tenants a worker is kept to, asked whenever it looks
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


class Worker:
    """A worker's row and life, from the start to `end`; `runner` carries steps out under its name."""

    def __init__(
        self,
        parts: Parts,
        locks: Path,
        kind: str,
        *,
        frozen: datetime | None = None,
        only: Only | None = None,
        lets_go: bool = False,
    ) -> None:
        self.parts = parts
        self.frozen = frozen
        self.id = random_id("w")
        self._locks = locks
        self._kind = kind
        self._only = only
        self._life = LifeLock(locks, self.id)
        self._give_life_up = parts.store.dialect.hold_life(parts.store.engine, self._life)
        self.runner = Runner(parts, self.id, self._life, lets_go=lets_go)
        hold_all_against_journal(parts, frozen)
        self._register()

    def _register(self) -> None:
        """Write this worker's row, and remove what the killed left: rows, half-written files, blobs without a row."""
        with self.parts.write() as tx:
            self._forget_the_dead(tx)
            tx.conn.execute(
                insert(_workers).values(
                    id=self.id,
                    kind=self._kind,
                    host=socket.gethostname(),
                    pid=os.getpid(),
                    pulse=pulse(),
                    started_at=real_now(),
                    seen_at=real_now(),
                )
            )
        with self.parts.store.read() as conn:
            swept = sweep_orphans(conn, self.parts.blobs, self.parts.blobs_folder)
        left = sum(sweep() for sweep in self.parts.sweeps)
        log.info(
            "worker started", worker=self.id, kind=self._kind, orphan_blobs_removed=len(swept),
            unfinished_files_removed=left,
        )  # fmt: skip

    def _forget_the_dead(self, tx: Tx) -> None:
        """Remove the rows and lock files of workers that are gone; not while a lease still names one."""
        holders = tx.conn.exec_driver_sql("SELECT DISTINCT lease_holder FROM threads WHERE lease_holder IS NOT NULL")
        held = set(holders.scalars())
        known = tx.conn.execute(select(_workers.c.id)).scalars().all()
        dead = [one for one in known if one not in held and self.is_gone(one)]
        tx.conn.execute(delete(_workers).where(_workers.c.id.in_(dead)))
        for one in dead:
            (self._locks / f"{one}.lock").unlink(missing_ok=True)

    def send_gathered(self) -> int:
        """Send what was gathered for a batch, once nothing more is at work, and answer how many calls that was."""
        return sum(send_gathered(self.parts, one.id, one.now(self.frozen)) for one in self.list_tenants())

    def list_tenants(self) -> list[TenantRow]:
        """Answer the tenants that this worker works for."""
        with self.parts.store.read() as conn:
            wanted = None if self._only is None else self._only(conn)
            return [one for one in list_tenants(conn) if wanted is None or one.id in wanted]

    def take_over(self, *, own: bool) -> None:
        """Give back every lease whose holder is gone. `own` says that this worker itself has nothing in hand now.

        What it holds all the same is left then from a drive that broke off.
        """
        with self.parts.store.read() as conn:
            # Without DISTINCT, for which SQLite would walk all threads in the order of their tenants.
            held = set(conn.exec_driver_sql("SELECT tenant_id FROM threads WHERE lease_holder IS NOT NULL").scalars())
        for tenant in self.list_tenants():
            if tenant.id in held:
                self._take_over_in(tenant, own=own)

    def _take_over_in(self, tenant: TenantRow, *, own: bool) -> None:
        now = tenant.now(self.frozen)
        with self.parts.write() as tx:
            taken = take_over(
                tx,
                tenant.id,
                now,
                is_gone=self.has_left if own else self.is_gone,
                performed_by=lambda holder: () if holder == self.id else read_marks(self._locks, holder),
            )
            for one in taken:
                detail = {"from": one.thread.lease_holder, "died": one.died, "parked": one.parked}
                note(tx, Note(tenant.id, now, "worker", "lease_taken_over", one.thread.id, detail))

    def has_left(self, holder: str) -> bool:
        """Say whether nobody does any more what this holder took; asked where this worker has nothing in hand."""
        return holder == self.id or self.is_gone(holder)

    def is_gone(self, worker_id: str) -> bool:
        """Say whether a worker's process is gone."""
        return self.parts.store.is_gone(self._locks, worker_id)

    def beat(self) -> None:
        """Give a sign of life, and renew this worker's leases."""
        with self.parts.store.write() as tx:
            tx.conn.execute(update(_workers).where(_workers.c.id == self.id).values(pulse=pulse(), seen_at=real_now()))
            # A slow step keeps its lease; one that gives no sign for a quarter of an hour hangs, and loses it.
            renew(tx, self.id, but_not=self.runner.hands.list_hanging(LONGEST_STEP_SECONDS))

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Give signs of life until the block ends, whatever its steps take."""
        over = threading.Event()
        beating = threading.Thread(target=self._beat_until, args=(over,), name="pulse", daemon=True)
        beating.start()
        try:
            yield
        finally:
            over.set()
            beating.join()

    def _beat_until(self, over: threading.Event) -> None:
        while not over.wait(PULSE_SECONDS):
            try:
                self.beat()
            except Exception:  # the next beat may get through; without any the lease runs out, which is in rows
                log.exception("beat failed", worker=self.id)

    def end(self) -> None:
        """Give every lease back and leave no row that says this worker lives."""
        with self.parts.store.write() as tx:
            give_back(tx, self.id)
            tx.conn.execute(delete(_workers).where(_workers.c.id == self.id))
        self._give_life_up()
        self._life.release()
