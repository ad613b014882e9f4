"""How a plan grew: each revision, by whom, when and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from core.people.people import names_of
from core.threads.save import SUMMARY_RULE
from core.threads.tables import PlanRevision
from core.vault.sealing import Keys

_revisions = PlanRevision.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Revised:
    """One revision: `step` is where the thread stood; `by` is a model's label, or the name of the person who wrote it.

    `reason` is empty where its key is gone.
    """

    n: int
    step: str
    by: str
    reason: str
    added_count: int
    dropped_count: int
    at: datetime


def list_revisions(conn: Connection, tenant_id: str, thread_id: str, keys: Keys | None) -> Sequence[Revised]:
    """Answer the revisions of a thread's plan, oldest first."""
    names = names_of(conn, tenant_id)
    rows = conn.execute(
        select(_revisions)
        .where(_revisions.c.tenant_id == tenant_id, _revisions.c.thread_id == thread_id)
        .order_by(_revisions.c.n)
    )
    return [
        Revised(
            row.n,
            row.step,
            names.get(row.by, row.by),
            _opened(keys, row.n, row.reason),
            row.added_count,
            row.dropped_count,
            row.at,
        )
        for row in rows
    ]


def _opened(keys: Keys | None, n: int, sealed: bytes) -> str:
    return "" if keys is None else keys.open(SUMMARY_RULE, "plan_revisions", f"{keys.thread_id}#{n}", sealed).decode()
