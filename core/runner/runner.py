"""Runner: takes what is due and drives it, group by group, until every thread waits or has ended."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import datetime, timedelta

from core.audit.note import Note, note
from core.db.locks import LifeLock
from core.effects.plan import void_planned
from core.errors import LeaseLost
from core.receipts.keep import Keeping
from core.review.decide import restore
from core.review.read import Approval
from core.runner.carry import carry_out
from core.runner.hands import Hands
from core.runner.kit import ConfigCache
from core.runner.leaving import Lost, PutBack, Stalled, Trouble
from core.runner.parts import Parts
from core.runner.perform import Answered, Described, Failed, Wants, describe, perform
from core.runner.run import Run, load
from core.runner.settle import settle
from core.threads.claim import ALONE_AFTER_DEATHS, claim_due, claim_one, has_due, is_held, list_held
from core.threads.failures import Failure, save_failure
from core.threads.repair import put_back
from core.threads.rows import Thread
from core.threads.stall import stall
from core.vault.sealing import Keys

GROUP = 32
# An answer that was paid for is written before the next is asked, and another worker may take the next.
GROUP_OUTSIDE = 1
RETRY_AFTER = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))


class Runner:
    """Drives one worker's groups, in one lane or in several; `life` names what is performed, to count deaths.

    With `lets_go` a lease covers one step: whoever drives decides who performs the next.
    """

    def __init__(
        self,
        parts: Parts,
        worker_id: str,
        life: LifeLock | None = None,
        *,
        group: int | None = None,
        lets_go: bool = False,
    ) -> None:
        self._parts = parts
        self._worker_id = worker_id
        self.hands = Hands(life)
        self._sending = threading.Lock()
        self._group = group or (GROUP_OUTSIDE if parts.model.leaves_machine else GROUP)
        self._configs = ConfigCache(parts)
        self._lets_go = lets_go
        self.is_stopping = False

    def run_due(self, tenant_id: str, now: datetime, *, beside_others: bool = False) -> int:
        """Claim one group of the tenant's due threads and drive it; answers how many were claimed.

        `beside_others` says that other lanes have threads in hand meanwhile.
        """
        with self._parts.store.read() as conn:
            if not has_due(conn, tenant_id, now):
                return 0  # asking takes no write lock, so an idle worker is in nobody's way
        with self._parts.write() as tx:
            claimed = claim_due(tx, tenant_id, self._worker_id, now, most=self._group, beside_others=beside_others)
        if claimed:
            with self.hands.holding(claimed):
                self._drive_or_split(tenant_id, claimed, now)
        return len(claimed)

    def advance(self, thread: Thread, now: datetime) -> bool:
        """Carry one thread from the checkpoint it was seen at to the next; answers whether it was there to be taken.

        Nothing is done to one that is not due, that another worker holds, or that has passed that checkpoint. A runner
        that lets go carries it no further than that.
        """
        with self.hands.turn(alone=thread.deaths >= ALONE_AFTER_DEATHS):
            with self._parts.write() as tx:
                claimed = claim_one(tx, thread, self._worker_id, now)
            if claimed is None:
                return False
            with self.hands.holding([claimed]):
                self._drive_or_split(thread.tenant_id, [claimed], now)
            return True

    def _drive_or_split(self, tenant_id: str, claimed: Sequence[Thread], now: datetime) -> None:
        """Drive a group; where it breaks off, drive each thread it still holds alone, so that one harms no other."""
        said = self._drive_or_say(tenant_id, claimed, now)
        if said is None:
            return
        with self._parts.store.read() as conn:
            held = list_held(conn, tenant_id, self._worker_id, [thread.id for thread in claimed])
        for thread in held:
            if len(claimed) > 1:
                self._drive_or_split(tenant_id, [thread], now)
            else:
                keys = self._parts.vault.keys_of(tenant_id, [thread.id]).get(thread.id)
                self._fail(_failure(thread, keys, said, now), now)

    def _drive_or_say(self, tenant_id: str, claimed: Sequence[Thread], now: datetime) -> Described | None:
        """Drive a group, or say what broke it.

        The error itself ends here: its frames hold a half-read result, and SQLite writes on no connection that has one.
        """
        try:
            self._drive(tenant_id, claimed, now)
        except Exception as error:  # noqa: BLE001 - what breaks a thread becomes a row, never a crash of the worker
            return describe(error)
        return None

    def _drive(self, tenant_id: str, claimed: Sequence[Thread], now: datetime) -> None:
        loaded = load(self._parts, tenant_id, claimed)
        for thread in loaded.unreadable:
            self._fail(Failure(thread, None, "erased", "The keys of this thread are gone.", None), now)
        runs = []
        for run in loaded.runs:
            approval = run.answer(now)
            if approval is not None and approval.is_held and approval.decided_by not in loaded.deciders:
                self._put_back(run, approval, "person_may_not_decide", now)
            else:
                runs.append(run)
        while runs and not self.is_stopping:
            runs = self._round(runs, now)

    def _round(self, runs: Sequence[Run], now: datetime) -> list[Run]:
        """Perform one step of each run and write what came of it; answers the runs that go on."""
        performed = []
        with Keeping(self._parts.blobs_folder) as keeping:
            for run in runs:
                if self.is_stopping:
                    break  # what was not performed is given back
                self._mark(run)
                performed.append(perform(self._parts, self._configs, run, now, keeping))
            answered = [one for one in performed if isinstance(one, Answered)]
            going_on, trouble = settle(self._parts, answered, now, lets_go=self._lets_go)
        trouble += [one for one in performed if isinstance(one, Failed)]
        wants = [one for one in performed if isinstance(one, Wants)]
        if wants:
            with self._sending:  # a mail server sees one letter at a time, however many lanes there are
                stopped = carry_out(self._parts, wants, now, self._mark)
            stopped_ids = {one.run.thread.id for one in stopped}
            going_on = [*going_on, *(one.run for one in wants if one.run.thread.id not in stopped_ids)]
            trouble += stopped
        for one in trouble:
            self._deal_with(one, now)
        return going_on

    def _mark(self, run: Run) -> None:
        self.hands.mark(run.thread)

    def _deal_with(self, trouble: Trouble, now: datetime) -> None:
        match trouble:
            case Lost(run):
                # Under a lease that is gone this writes nothing; one that stands was refused for an erased subject.
                self._fail(Failure(run.thread, None, "erased", "", None), now)
            case PutBack(run, entry, reason, otherwise):
                approval = next((one for one in run.decided if one.id == entry.approval_id), None)
                if approval is None or not self._put_back(run, approval, reason, now):
                    self._deal_with(otherwise, now)
            case Stalled(run, reason):
                self._stall(run, reason, now)
            case Failed(run, code, frame, parks, retry_after):
                self._fail(_failure(run.thread, run.keys, Described(code, frame, parks, retry_after), now), now)

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

    def _put_back(self, run: Run, approval: Approval, reason: str, now: datetime) -> bool:
        """The decision no longer stands: the question is pending again, under a new version. False: it was released."""
        thread = run.thread
        with self._parts.write() as tx:
            if not is_held(tx, thread):
                return True  # another worker holds the thread and finds the same
            if not restore(tx, approval, [reason.replace("_", " ")]):
                return False
            void_planned(tx, thread.tenant_id, [thread.id], reason)
            put_back(tx, thread, approval.step, now, cause="undo", asks_again=True)
            detail = {"approval": approval.id, "why": reason, "decided_by": approval.decided_by}
            note(tx, Note(thread.tenant_id, now, "worker", "decision_came_back", thread.id, detail))
            return True

    def _stall(self, run: Run, reason: str, now: datetime) -> None:
        """Give the thread back without a try used up; the switch, an event or its own deadline wakes it."""
        with self._parts.write() as tx:
            if stall(tx, run.thread, reason, now):
                detail = {"step": run.thread.step, "why": reason, "lease": run.thread.lease_no}
                note(tx, Note(run.thread.tenant_id, now, "worker", "thread_stalled", run.thread.id, detail))


def _failure(thread: Thread, keys: Keys | None, said: Described, now: datetime) -> Failure:
    if said.parks or thread.tries >= len(RETRY_AFTER):
        return Failure(thread, keys, said.code, said.frame, None)
    wait = RETRY_AFTER[thread.tries] if said.retry_after is None else said.retry_after
    return Failure(thread, keys, said.code, said.frame, now + wait)
