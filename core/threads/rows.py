"""A thread as the rooms above see it: a frozen copy of its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, select

from core.errors import NotFound
from core.threads.tables import ENDED, ThreadRow

threads = ThreadRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread's row."""

    tenant_id: str
    id: str
    workflow: str
    workflow_version: int
    goal: str
    role_id: str | None
    subject_id: str
    configs: Mapping[str, int]
    status: str
    outcome: str | None
    step: str
    checkpoint: int
    waits_for: str | None
    wait_events: Sequence[str] | None
    since_at: datetime
    until_at: datetime | None
    then_what: str | None
    wake_at: datetime | None
    signals: int
    lease_no: int
    lease_holder: str | None
    tries: int
    deaths: int
    parked_why: str | None
    version: int
    created_at: datetime
    updated_at: datetime
    owner_id: str | None = None
    forked_from: str | None = None
    forked_at: int | None = None
    is_sandbox: bool = False
    reuses: Mapping[str, Sequence[str]] | None = None

    @property
    def has_ended(self) -> bool:
        """Say whether nothing more happens in this thread."""
        return self.status in ENDED

    @property
    def is_parked_by_hand(self) -> bool:
        """Say whether a person stopped it: only a person's retry lets it go on."""
        return self.status == "parked" and self.parked_why == BY_HAND


def not_tried_only(thread_id: ColumnElement[str], tenant_id: Any) -> ColumnElement[bool]:
    """Say of a row with a thread's id that its thread is no sandbox: what is only tried counts nowhere.

    `tenant_id` is the tenant, or what is bound to it.
    """
    tried = select(threads.c.id).where(threads.c.tenant_id == tenant_id, threads.c.forked_from.is_not(None))
    return thread_id.not_in(tried.where(threads.c.is_sandbox))


BY_HAND = "by_hand"
COLUMNS = tuple(threads.c[name] for name in Thread.__dataclass_fields__)
# Statements on the hot path are built once: building one costs five times what running it does.
_BY_ID = select(*COLUMNS).where(threads.c.tenant_id == bindparam("tenant"), threads.c.id == bindparam("id"))


def to_thread(row: Row[Any] | Sequence[Any]) -> Thread:
    """Copy a row selected by COLUMNS."""
    return Thread(*tuple(row))


def find_thread(conn: Connection, tenant_id: str, thread_id: str) -> Thread | None:
    """Answer one thread, or None; another tenant's is None too."""
    row = conn.execute(_BY_ID, {"tenant": tenant_id, "id": thread_id}).first()
    return None if row is None else to_thread(row)


def get_thread(conn: Connection, tenant_id: str, thread_id: str) -> Thread:
    """Answer one thread, or raise NotFound."""
    thread = find_thread(conn, tenant_id, thread_id)
    if thread is None:
        raise no_thread(tenant_id, thread_id)
    return thread


def no_thread(tenant_id: str, thread_id: str) -> NotFound:
    """Answer what is raised for a thread that is not there, or is another tenant's."""
    return NotFound(f"There is no thread {thread_id[:80]!r} in tenant {tenant_id}; `threads` lists those there are.")
