"""The rows that a packet is built from: the tenant's and this thread's, in one snapshot.

Records come first, then memory. What is considered and not used is written down with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.clock import iso
from core.context.stale import states_status
from core.effects.plan import list_entries
from core.memory.reading import Read, Wanted, read_memory
from core.review.read import approvals
from core.steps import Config, Document, Item, LeftOut, Person, Recalled
from core.threads.notes import find_latest
from core.threads.rows import Thread
from core.threads.save import SUMMARY_RULE
from core.threads.tables import PlanStep
from core.vault.sealing import Keys, Vault

_plan = PlanStep.__table__  # type: ignore[attr-defined]
_TENANT: BindParameter[str] = bindparam("tenant")
_THREAD: BindParameter[str] = bindparam("thread")
_QUESTIONS = (
    select(approvals.c.id, approvals.c.about, approvals.c.status, approvals.c.version, approvals.c.decided_at)
    .where(
        approvals.c.tenant_id == _TENANT,
        approvals.c.thread_id == _THREAD,
        approvals.c.status.in_(("pending", "approved", "rejected", "expired")),
    )
    .order_by(approvals.c.asked_at, approvals.c.about, approvals.c.id)
)
_SETTLED = (
    select(_plan.c.step, _plan.c.title, _plan.c.summary, _plan.c.receipts)
    .where(_plan.c.tenant_id == _TENANT, _plan.c.thread_id == _THREAD, _plan.c.summary.is_not(None))
    .order_by(_plan.c.position)
)


class RowSources:
    """One snapshot of one thread; satisfies core.steps.Sources. `reads` and `left_out` say what was considered.

    `supposed` is what a look that sends nothing supposes of memory (core.memory.reading.Wanted).
    """

    def __init__(  # noqa: PLR0913 - a snapshot, whose, as of when, and how to read files and what never changes
        self,
        conn: Connection,
        vault: Vault,
        thread: Thread,
        keys: Keys,
        person: Person,
        now: datetime,
        read_file: Callable[[str], Document],
        config: Callable[[str], Config],
        supposed: Mapping[str, str | None] | None = None,
    ) -> None:
        self._conn, self._vault, self._thread, self._keys, self._now = conn, vault, thread, keys, now
        self._read_file, self._config, self._supposed = read_file, config, supposed or {}
        self.thread_id, self.goal, self.person = thread.id, thread.goal, person
        self.reads: list[Read] = []
        self.left_out: list[LeftOut] = []

    @property
    def _here(self) -> dict[str, str]:
        return {"tenant": self._thread.tenant_id, "thread": self._thread.id}

    def config(self, kind: str) -> Config:
        """Answer the version of a kind that the thread pins."""
        return self._config(kind)

    def read_file(self, receipt_ref: str) -> Document:
        """Answer a kept file as a person would read it."""
        return self._read_file(receipt_ref)

    def approvals(self, slot: str) -> tuple[Item, ...]:
        """Answer the thread's questions as they stand now."""
        return tuple(
            Item(slot, "approvals", row.id, row.version, _approval_text(row), row.status)
            for row in self._conn.execute(_QUESTIONS, self._here)
        )

    def effects(self, slot: str) -> tuple[Item, ...]:
        """Answer the thread's effects as the ledger has them now."""
        entries = list_entries(self._conn, self._thread.tenant_id, self._thread.id)
        return tuple(
            Item(slot, "effects", one.key, one.attempt, f"{one.key}: effect_status {one.status}", one.status)
            for one in entries
        )

    def note(self, slot: str) -> tuple[Item, ...]:
        """Answer the latest approved note, if there is one."""
        latest = find_latest(self._conn, self._keys)
        return () if latest is None else (Item(slot, "notes", self._thread.id, latest.version, latest.text),)

    def recall(self, kind: str, key: str, owner_id: str | None = None) -> Recalled | None:
        """Answer what memory holds under one exact key."""
        wanted = Wanted(self._thread.tenant_id, kind, key, owner_id, supposed=self._supposed)
        read = read_memory(self._conn, self._vault, wanted, self._now)
        self.reads.append(read)
        self.left_out += [LeftOut("memories", one.id, one.reason) for one in read.filtered]
        return read.used[0] if read.used else None

    def memory(self, slot: str, kind: str, keys: Sequence[str], *, owner_id: str | None = None) -> tuple[Item, ...]:
        """Answer what memory holds under these exact keys."""
        found = (self.recall(kind, key, owner_id) for key in dict.fromkeys(keys))
        return tuple(
            Item(slot, "memories", one.id, one.version, f"{one.source} said on {one.created_at:%Y-%m-%d}: {one.text}")
            for one in found
            if one is not None
        )

    def summaries(self, slot: str) -> tuple[Item, ...]:
        """Answer the lines of settled steps, but none that states an approval or a status."""
        items = []
        for row in self._conn.execute(_SETTLED, self._here):
            place = f"{self._thread.id}#{row.step}"
            text = self._keys.open(SUMMARY_RULE, "plan_steps", place, row.summary).decode()
            if states_status(text):
                self.left_out.append(LeftOut("plan_steps", place, "stale-summary"))
                continue
            details = f" (details: {', '.join(row.receipts)})" if row.receipts else ""
            items.append(Item(slot, "plan_steps", place, 1, f"{row.title}: {text}{details}"))
        return tuple(items)


def _approval_text(row: object) -> str:
    at = row.decided_at  # type: ignore[attr-defined]
    said = f" at {iso(at)}" if at is not None else ""
    return f"{row.about}: approval_status {row.status}{said}, version {row.version}"  # type: ignore[attr-defined]
