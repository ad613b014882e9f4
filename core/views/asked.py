"""A run's approvals as its page shows them: who answered what and when. What is about whom stays sealed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, select

from core.people.tables import PersonRow
from core.review.tables import ApprovalRow
from core.threads.rows import Thread

_approvals = ApprovalRow.__table__  # type: ignore[attr-defined]
_people = PersonRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class AskedLine:
    """One approval. `decided_by` is a name; `consumed_by` is the checkpoint that the answer led to."""

    id: str
    about: str
    status: str
    version: int
    asked_at: datetime
    due_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    release_at: datetime | None
    released_at: datetime | None
    consumed_by: int | None = None
    verdict: str | None = None
    kind: str = ""

    @property
    def is_held(self) -> bool:
        """Say whether the answer can still be undone."""
        return self.status in ("approved", "rejected") and self.released_at is None


def list_asked(conn: Connection, thread: Thread) -> list[AskedLine]:
    """Answer a thread's approvals, the first that was asked first."""
    named = and_(_people.c.tenant_id == _approvals.c.tenant_id, _people.c.id == _approvals.c.decided_by)
    rows = conn.execute(
        select(
            _approvals.c.id, _approvals.c.about, _approvals.c.status, _approvals.c.version, _approvals.c.asked_at,
            _approvals.c.due_at, _people.c.name, _approvals.c.decided_at, _approvals.c.release_at,
            _approvals.c.released_at, _approvals.c.consumed_by, _approvals.c.verdict, _approvals.c.kind,
        )
        .select_from(_approvals.outerjoin(_people, named))
        .where(_approvals.c.tenant_id == thread.tenant_id, _approvals.c.thread_id == thread.id)
        .order_by(_approvals.c.asked_at, _approvals.c.id)
    )  # fmt: skip
    return [AskedLine(*tuple(row)) for row in rows]
