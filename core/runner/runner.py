"""Runner: takes what is due and drives it, group by group, until every thread waits or has ended."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from core.audit.note import Note, note
from core.clock import pulse
from core.db.locks import LifeLock
from core.effects.plan import void_planned
from core.errors import LeaseLost
from core.receipts.keep import keeping
from core.review.decide import restore
from core.review.read import Approval
from core.runner.carry import Lost, PutBack, Trouble, carry_out
from core.runner.kit import ConfigCache
from core.runner.parts import Parts
from core.runner.perform import Answered, Failed, Wants, perform
from core.runner.run import Run, load
from core.runner.settle import settle
from core.threads.claim import claim_due, has_due
from core.threads.repair import put_back
from core.threads.rows import Thread
from core.threads.save import Failure, save_failure

GROUP = 32
RETRY_AFTER = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))


class Runner:
    """Drives one worker's groups. `life` names what is performed, so that a death is counted against it."""

    def __init__(self, parts: Parts, worker_id: str, life: LifeLock | None = None, *, group: int = GROUP) -> None:
        self._parts = parts
        self._worker_id = worker_id
        self._life = life
        self._group = group
        self._configs = ConfigCache(parts)
        self.progressed_at = pulse()

    def run_due(self, tenant_id: str, now: datetime) -> int:
        """Claim one group of the tenant's due threads and drive it; answers how many were claimed."""
        with self._parts.store.read() as conn:
            if not has_due(conn, tenant_id, now):
                return 0  # asking takes no write lock, so an idle worker is in nobody's way
        with self._parts.write() as tx:
            claimed = claim_due(tx, tenant_id, self._worker_id, now, most=self._group)
        if claimed:
            self._drive(tenant_id, claimed, now)
        return len(claimed)

    def _drive(self, tenant_id: str, claimed: Sequence[Thread], now: datetime) -> None:
        loaded = load(self._parts, tenant_id, claimed)
        for thread in loaded.unreadable:
            self._fail(Failure(thread, None, "erased", "The keys of this thread are gone.", None), now)
        runs = []
        for run in loaded.runs:
            approval = run.answer(now)
            if approval is not None and approval.decided_by not in loaded.deciders:
                self._put_back(run, approval, "person_may_not_decide", now)
            else:
                runs.append(run)
        while runs:
            runs = self._round(runs, now)

    def _round(self, runs: Sequence[Run], now: datetime) -> list[Run]:
        """Perform one step of each run and write what came of it; answers the runs that go on."""
        performed = []
        with self._keeping():
            for run in runs:
                self._mark(run)
                performed.append(perform(self._parts, self._configs, run, now))
            answered = [one for one in performed if isinstance(one, Answered)]
            going_on, trouble = settle(self._parts, answered, now)
        trouble += [one for one in performed if isinstance(one, Failed)]
        wants = [one for one in performed if isinstance(one, Wants)]
        if wants:
            stopped = carry_out(self._parts, wants, now)
            stopped_ids = {one.run.thread.id for one in stopped}
            going_on = [*going_on, *(one.run for one in wants if one.run.thread.id not in stopped_ids)]
            trouble += stopped
        for one in trouble:
            self._deal_with(one, now)
        return going_on

    def _keeping(self) -> AbstractContextManager[None]:
        return keeping(self._parts.blobs_folder)

    def _mark(self, run: Run) -> None:
        self.progressed_at = pulse()
        if self._life is not None:
            self._life.mark(f"{run.thread.tenant_id} {run.thread.id}")

    def _deal_with(self, trouble: Trouble, now: datetime) -> None:
        match trouble:
            case Lost():
                pass
            case PutBack(run, entry, reason):
                approval = next((one for one in run.decided if one.id == entry.approval_id), None)
                if approval is not None:
                    self._put_back(run, approval, reason, now)
            case Failed(run, code, frame, parks):
                tries = run.thread.tries
                parks = parks or tries >= len(RETRY_AFTER)
                retry_at = None if parks else now + RETRY_AFTER[tries]
                self._fail(Failure(run.thread, run.keys, code, frame, retry_at), now)

    def _fail(self, failure: Failure, now: datetime) -> None:
        thread = failure.thread
        act = "step_failed" if failure.retry_at else "thread_parked"
        detail = {"step": thread.step, "code": failure.code, "lease": thread.lease_no}
        try:
            with self._parts.write() as tx:
                save_failure(tx, failure, now)
                note(tx, Note(thread.tenant_id, now, "worker", act, thread.id, detail))
        except LeaseLost:
            return  # another worker holds the thread; its own row tells what became of it

    def _put_back(self, run: Run, approval: Approval, reason: str, now: datetime) -> None:
        """The decision no longer stands: the question is pending again, under a new version."""
        thread = run.thread
        with self._parts.write() as tx:
            restore(tx, approval, [reason.replace("_", " ")])
            void_planned(tx, thread.tenant_id, [thread.id], reason)
            put_back(tx, thread, approval.step, now, cause="undo", asks_again=True)
            detail = {"approval": approval.id, "why": reason, "decided_by": approval.decided_by}
            note(tx, Note(thread.tenant_id, now, "worker", "decision_came_back", thread.id, detail))
