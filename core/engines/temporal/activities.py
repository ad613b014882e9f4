"""One step as an activity: the same runner, guarded by the same rows."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import structlog
from temporalio import activity
from temporalio.exceptions import ApplicationError

from core.engines import worker as workers
from core.engines.temporal.workflow import ADVANCE, Place, Standing
from core.engines.worker import Worker
from core.people.tenants import TenantRow
from core.threads.claim import let_go
from core.threads.rows import Thread, find_thread

log = structlog.get_logger()

ASK_AGAIN_MS = 1_000
MILLISECOND = timedelta(milliseconds=1)


class Steps:
    """Carries steps out for the workflows of a home, several at once, each in a thread of its own."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._store = worker.parts.store
        self._signs: dict[tuple[str, str], Callable[[], None]] = {}
        self._counting = threading.Lock()
        self.claims = 0

    @activity.defn(name=ADVANCE, no_thread_cancel_exception=True)
    def advance(self, place: Place) -> Standing:
        """Carry a thread from a checkpoint to the next, or answer what was recorded where that is passed already.

        What goes wrong in a step is rows. What goes wrong here is tried again by the server, which learns no more of it
        than the name of its type.
        """
        try:
            with self._giving_signs(place):
                return self._advance(place)
        except Exception as error:
            log.exception("step broke off", tenant=place.tenant, thread=place.thread)
            code = type(error).__name__
        raise ApplicationError("The step broke off; the worker's log says of what.", type=code)

    def _advance(self, place: Place) -> Standing:
        tenant, thread = self._look(place)
        if tenant is None or thread is None:
            return Standing(place.checkpoint, None, has_ended=True)
        now = tenant.now(self._worker.frozen)
        if thread.checkpoint != place.checkpoint:
            return _standing(tenant, thread, now, self._worker.frozen)
        if _is_held(thread) and self._worker.is_gone(str(thread.lease_holder)):
            self._worker.take_over(own=False)
            tenant, thread = self._look(place)
        if thread is not None and not _is_held(thread) and _is_due(thread, now):
            self._carry_on(thread, now)
            tenant, thread = self._look(place)
        if tenant is None or thread is None:
            return Standing(place.checkpoint, None, has_ended=True)
        return _standing(tenant, thread, now, self._worker.frozen)

    def _look(self, place: Place) -> tuple[TenantRow | None, Thread | None]:
        tenants = {one.id: one for one in self._worker.list_tenants()}
        with self._store.read() as conn:
            return tenants.get(place.tenant), find_thread(conn, place.tenant, place.thread)

    def _carry_on(self, seen: Thread, now: datetime) -> None:
        if not self._worker.runner.advance(seen, now):
            return
        with self._counting:
            self.claims += 1
        with self._store.read() as conn:
            after = find_thread(conn, seen.tenant_id, seen.id)
        if after is not None and after.lease_holder == self._worker.id:
            with self._store.write() as tx:  # it broke off, or the worker stops: others take it at once
                let_go(tx, after)

    @contextmanager
    def _giving_signs(self, place: Place) -> Iterator[None]:
        """Let the server hear that this step is at work until the block ends, whatever it takes."""
        key, context = (place.tenant, place.thread), contextvars.copy_context()
        self._signs[key] = lambda: context.run(activity.heartbeat)
        try:
            yield
        finally:
            self._signs.pop(key, None)

    @property
    def at_work(self) -> int:
        """How many steps are being carried out."""
        return len(self._signs)

    def give_signs(self) -> None:
        """Tell the server of every step at work, but not of those that hang: they are for another worker."""
        hanging = {
            (one.tenant_id, one.id) for one in self._worker.runner.hands.list_hanging(workers.LONGEST_STEP_SECONDS)
        }
        for key, sign in list(self._signs.items()):
            if key not in hanging:
                sign()


def _is_held(thread: Thread) -> bool:
    return thread.lease_holder is not None


def _is_due(thread: Thread, now: datetime) -> bool:
    return thread.wake_at is not None and thread.wake_at <= now


def _standing(tenant: TenantRow, thread: Thread, now: datetime, frozen: datetime | None) -> Standing:
    if thread.has_ended:
        return Standing(thread.checkpoint, None, has_ended=True)
    return Standing(thread.checkpoint, _sleep_ms(tenant, thread, now, frozen))


def _sleep_ms(tenant: TenantRow, thread: Thread, now: datetime, frozen: datetime | None) -> int | None:
    if _is_held(thread):
        return ASK_AGAIN_MS
    if thread.wake_at is None:
        return None
    if thread.wake_at <= now:
        return 0
    if tenant.is_fixture or frozen is not None:
        return None  # nothing becomes due on a clock that stands; whoever moves it leaves a nudge
    return (thread.wake_at - now) // MILLISECOND + 1
