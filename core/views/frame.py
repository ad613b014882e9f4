"""What stands around every page: who is signed in, the tenant with its clock, the workers, and whether rows moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, ScalarSelect, func, select, true

from core.audit.tables import AuditLink
from core.clock import pulse
from core.effects.switch import SENDING, switches
from core.errors import NotFound
from core.people.people import Member, member_of
from core.people.sessions import LIVING, is_due, presented
from core.people.tables import Tenant
from core.people.tenants import TenantRow
from core.threads.rows import threads
from core.threads.tables import WorkerRow
from core.views.health import WorkerHealth

_tenants = Tenant.__table__  # type: ignore[attr-defined]
_workers = WorkerRow.__table__  # type: ignore[attr-defined]
_links = AuditLink.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a page. `mark` moves whenever what the page shows may have changed.

    `sending_off_since` is None while letters may leave.
    """

    tenant: TenantRow
    workers: Sequence[WorkerHealth]
    mark: int
    sending_off_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """Whom a session lets in, what stands around their pages, and whether the session's row should be touched."""

    member: Member
    frame: Frame
    is_due: bool


def read_visit(conn: Connection, token: str, now: datetime, thread_id: str | None = None) -> Visit | None:
    """Answer whom a session lets in and the frame of their tenant, in one statement; None where it lets nobody in.

    `now` is the machine's time. The mark is as in `read_frame`.
    """
    session = LIVING.subquery()
    there = _tenants.join(session, session.c.tenant_id == _tenants.c.id)
    query = select(*session.c, *_around(thread_id)).select_from(there.outerjoin(_workers, true()))
    rows = conn.execute(query, presented(token, now)).all()
    if not rows:
        return None
    return Visit(member_of(rows[0]), _frame(rows), is_due(rows[0], now))


def read_frame(conn: Connection, tenant_id: str, thread_id: str | None = None) -> Frame:
    """Answer a tenant, the workers and the mark of one thread (or of the whole tenant), in one statement.

    Raises NotFound for an unknown tenant. The mark is 0 for an unknown thread.
    """
    rows = conn.execute(
        select(*_around(thread_id)).select_from(_tenants.outerjoin(_workers, true())).where(_tenants.c.id == tenant_id)
    ).all()
    if not rows:
        raise NotFound(f"There is no tenant {tenant_id!r}.")
    return _frame(rows)


def _around(thread_id: str | None) -> list[ColumnElement[Any]]:
    return [
        _tenants.c.id.label("tenant"), _tenants.c.name.label("tenant_name"), _tenants.c.clock,
        _tenants.c.clock_start_at, _tenants.c.clock_offset_ms, _mark(thread_id).label("mark"),
        _off_since().label("off_since"),
        _workers.c.id.label("worker_id"), _workers.c.kind, _workers.c.pulse,
    ]  # fmt: skip


def _frame(rows: Sequence[Any]) -> Frame:
    now, first = pulse(), rows[0]
    workers = [WorkerHealth(row.worker_id, row.kind, abs(now - row.pulse)) for row in rows if row.worker_id is not None]
    return Frame(
        tenant=TenantRow(first.tenant, first.tenant_name, first.clock, first.clock_start_at, first.clock_offset_ms),
        workers=sorted(workers, key=lambda worker: worker.silent_for),
        mark=first.mark or 0,
        sending_off_since=first.off_since,
    )


def _mark(thread_id: str | None) -> ScalarSelect[Any]:
    """A thread's version moves with every change of it; a tenant's audit log has one link per transaction."""
    if thread_id is None:
        newest = select(func.max(_links.c.link)).where(_links.c.tenant_id == _tenants.c.id)
    else:
        newest = select(threads.c.version).where(threads.c.tenant_id == _tenants.c.id, threads.c.id == thread_id)
    return newest.correlate(_tenants).scalar_subquery()


def _off_since() -> ScalarSelect[Any]:
    return select(switches.c.changed_at).where(switches.c.name == SENDING, ~switches.c.is_on).scalar_subquery()


def living(workers: Sequence[WorkerHealth], is_gone: Callable[[str], bool]) -> list[WorkerHealth]:
    """Leave out workers whose process is gone: others have taken over what they held."""
    return [worker for worker in workers if not is_gone(worker.id)]
