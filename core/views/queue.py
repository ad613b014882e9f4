"""What waits for a person: undecided questions, and events that came too late to be taken by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from core.review.read import Approval, approvals, list_approvals
from core.threads.tables import EventRow
from core.vault.sealing import Vault

_events = EventRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class LateEvent:
    """An event received at or after its deadline: stored, shown, acted on by nobody but a person."""

    thread_id: str
    name: str
    received_at: datetime


def list_queue(conn: Connection, vault: Vault, tenant_id: str) -> Sequence[Approval]:
    """Answer the undecided questions, the one due first first."""
    return list_approvals(conn, vault, tenant_id, approvals.c.status == "pending")


def list_late_events(conn: Connection, tenant_id: str) -> list[LateEvent]:
    """Answer the late events of a tenant, oldest first."""
    rows = conn.execute(
        select(_events.c.thread_id, _events.c.name, _events.c.received_at)
        .where(_events.c.tenant_id == tenant_id, _events.c.late)
        .order_by(_events.c.received_at, _events.c.thread_id)
    )
    return [LateEvent(*row) for row in rows]
