"""What is looked at, and what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row, bindparam, text

from core.effects.ahead import Left
from core.effects.journal import Line
from core.memory.changing import is_own_place
from core.steps import Workflow
from core.threads.tables import ENDED
from core.vault.sealing import Vault

BATCH = 500


@dataclass
class Findings:
    """How many things were looked at, and one sentence for each that is broken."""

    checked: int = 0
    problems: list[str] = field(default_factory=list)

    def expect(self, holds: object, sentence: str) -> bool:
        """Count one thing, and keep the sentence where it does not hold; answers whether it holds."""
        self.checked += 1
        if not holds:
            self.report(sentence)
        return bool(holds)

    def report(self, sentence: str) -> None:
        """Keep the sentence of something that is broken."""
        self.problems.append(sentence)


@dataclass(frozen=True)
class ThreadLine:
    """What the checks need to know of a thread."""

    id: str
    subject_id: str
    workflow: str
    status: str
    step: str
    checkpoint: int
    waits_for: str | None
    wake_at: str | None
    lease_holder: str | None

    @property
    def has_ended(self) -> bool:
        """Say whether nothing more happens in it."""
        return self.status in ENDED


_STALLED = """
SELECT thread_id FROM effects WHERE tenant_id = :tenant AND status = 'planned' AND why = 'sending_is_off'
AND EXISTS (SELECT 1 FROM switches s WHERE s.name = 'sending' AND NOT s.is_on)
"""


@dataclass(frozen=True)
class Look:
    """One tenant in one snapshot.

    `journal` was read after the snapshot was taken, `told` before: each knows nothing that the other side may lack.
    """

    conn: Connection
    tenant_id: str
    vault: Vault
    workflows: Mapping[str, Workflow]
    journal: frozenset[Line]
    told: Mapping[str, Left]

    @cached_property
    def threads(self) -> dict[str, ThreadLine]:
        """Every thread of the tenant."""
        names = ", ".join(ThreadLine.__dataclass_fields__)
        rows = self.rows(f"SELECT {names} FROM threads WHERE tenant_id = :tenant ORDER BY id")
        return {row.id: ThreadLine(**row._mapping) for row in rows}

    @cached_property
    def erased(self) -> frozenset[str]:
        """The subjects of whom a tombstone stands."""
        return frozenset(row[0] for row in self.rows("SELECT subject_id FROM tombstones WHERE tenant_id = :tenant"))

    @cached_property
    def stalled(self) -> frozenset[str]:
        """The threads that the sending switch wakes: it is off, and an effect of theirs waits for it."""
        return frozenset(row[0] for row in self.rows(_STALLED))

    @cached_property
    def living(self) -> dict[str, ThreadLine]:
        """The threads that are neither erased nor of an erased subject."""
        return {
            thread.id: thread
            for thread in self.threads.values()
            if thread.status != "erased" and thread.subject_id not in self.erased
        }

    def is_of_erased(self, key: str) -> bool:
        """Say whether an effect's key is one of a thread whose content was erased."""
        parts = key.split("/")
        names = ("/".join(parts[:count]) for count in range(1, len(parts)))
        return any(name in self.threads and name not in self.living for name in names)

    def rows(self, query: str) -> Sequence[Row[Any]]:
        """Answer the rows of a query on `:tenant`."""
        return self.conn.execute(text(query), {"tenant": self.tenant_id}).all()

    def rows_of(self, query: str, thread_ids: Sequence[str]) -> Sequence[Row[Any]]:
        """Answer the rows of a query on `:tenant` and `:threads`."""
        statement = text(query).bindparams(bindparam("threads", expanding=True))
        return self.conn.execute(statement, {"tenant": self.tenant_id, "threads": list(thread_ids)}).all()

    def batches(self) -> Iterator[list[str]]:
        """Yield the ids of the living threads, so many at a time."""
        yield from _batches(list(self.living))

    def sealed_places(self) -> Iterator[list[str]]:
        """Yield the places that keys were made for: the living threads, and memory that belongs to no thread."""
        places = (row[0] for row in self.rows("SELECT DISTINCT thread_id FROM memories WHERE tenant_id = :tenant"))
        yield from _batches([*self.living, *sorted(place for place in places if is_own_place(place))])


def _batches(ids: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(ids), BATCH):
        yield ids[start : start + BATCH]
