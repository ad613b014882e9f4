"""What waits for a person: undecided questions, and events that nothing followed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, select

from core.review.read import Approval, approvals, list_readable
from core.threads.events import left_over
from core.threads.rows import not_tried_only
from core.threads.tables import EventRow
from core.vault.sealing import Vault
from core.views.of_role import is_closing

_events = EventRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """An event that came late, or whose thread ended without it: stored, shown, acted on by nobody but a person."""

    thread_id: str
    name: str
    received_at: datetime
    late: bool


def list_queue(conn: Connection, vault: Vault, tenant_id: str) -> Sequence[Approval]:
    """Answer the undecided questions, the one due first first."""
    real = not_tried_only(approvals.c.thread_id, tenant_id)
    return list_readable(conn, vault, tenant_id, and_(approvals.c.status == "pending", real))


def list_closing(conn: Connection, tenant_id: str) -> frozenset[str]:
    """Answer the undecided questions whose role is closed."""
    rows = conn.execute(
        select(approvals.c.id, is_closing()).where(approvals.c.tenant_id == tenant_id, approvals.c.status == "pending")
    )
    return frozenset(row.id for row in rows if row.is_closing)


def list_left_over(conn: Connection, tenant_id: str) -> list[LeftOver]:
    """Answer the events of a tenant that nothing followed from and nobody has seen, oldest first."""
    rows = conn.execute(
        select(_events.c.thread_id, _events.c.name, _events.c.received_at, _events.c.late)
        .where(*left_over(tenant_id))
        .order_by(_events.c.received_at, _events.c.thread_id)
    )
    return [LeftOver(*row) for row in rows]
