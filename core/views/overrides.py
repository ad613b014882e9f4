"""What the store knows of how people read the model's points under one rubric version: recall, never sent to a scorer.

Each record is one answer. Whose it was stands in the approval that the record's checkpoint took.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from core.memory.reading import Wanted, read_memory
from core.review.read import approvals
from core.steps import Recalled
from core.vault.sealing import Vault

MOST = 500
_READ = re.compile(r"(?:criterion (?P<number>\d+):|total) (?P<before>\d+) read as (?P<after>\d+)")
_WHO = select(approvals.c.thread_id, approvals.c.consumed_by, approvals.c.decided_by).where(
    approvals.c.tenant_id == bindparam("tenant"), approvals.c.thread_id.in_(bindparam("ids", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Habit:
    """How often somebody read a criterion (None: the total) higher or lower than the model."""

    number: int | None
    raised: int
    lowered: int


@dataclass(frozen=True, slots=True)
class Overrides:
    """What one person gave of their own under a rubric version: in how many answers, the newest when, and the habits.

    `source` is the key that the store was read under.
    """

    source: str
    answers: int
    newest_at: datetime | None
    habits: Sequence[Habit]


def read_overrides(
    conn: Connection, vault: Vault, tenant_id: str, key: str, person_id: str, now: datetime
) -> Overrides:
    """Answer one person's overrides under a key such as `role-14/rubric@1`; the newest MOST records are read."""
    records = read_memory(conn, vault, Wanted(tenant_id, "override", key, most=MOST), now).used
    mine = _by_person(conn, tenant_id, records, person_id) if records else []
    raised: Counter[int | None] = Counter()
    lowered: Counter[int | None] = Counter()
    for record in mine:
        for found in _READ.finditer(record.text):
            number = None if found["number"] is None else int(found["number"])
            raised[number] += int(found["after"]) > int(found["before"])
            lowered[number] += int(found["after"]) < int(found["before"])
    numbers = sorted({*(+raised), *(+lowered)}, key=lambda number: (number is None, number or 0))
    habits = [Habit(number, raised[number], lowered[number]) for number in numbers]
    return Overrides(key, len(mine), max((one.created_at for one in mine), default=None), habits)


def _by_person(conn: Connection, tenant_id: str, records: Sequence[Recalled], person_id: str) -> list[Recalled]:
    ids = sorted({one.source.rpartition("#")[0] for one in records})
    rows = conn.execute(_WHO, {"tenant": tenant_id, "ids": ids})
    who = {f"{row.thread_id}#{row.consumed_by}": row.decided_by for row in rows}
    return [one for one in records if who.get(one.source) == person_id]
