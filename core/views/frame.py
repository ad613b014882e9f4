"""What stands around every page: the tenant with its clock, the workers, and a number that moves when rows did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, ScalarSelect, func, select, true

from core.audit.tables import AuditLink
from core.clock import pulse
from core.errors import NotFound
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
    """What stands around a page. `mark` moves whenever what the page shows may have changed."""

    tenant: TenantRow
    workers: Sequence[WorkerHealth]
    mark: int


def read_frame(conn: Connection, tenant_id: str, thread_id: str | None = None) -> Frame:
    """Answer a tenant, the workers and the mark of one thread (or of the whole tenant), in one statement.

    Raises NotFound for an unknown tenant. The mark is 0 for an unknown thread.
    """
    mark = _mark(tenant_id, thread_id).label("mark")
    rows = conn.execute(
        select(
            _tenants.c.id, _tenants.c.name, _tenants.c.clock, _tenants.c.clock_start_at, _tenants.c.clock_offset_ms,
            mark, _workers.c.id.label("worker_id"), _workers.c.kind, _workers.c.pulse,
        )
        .select_from(_tenants.outerjoin(_workers, true()))
        .where(_tenants.c.id == tenant_id)
    ).all()  # fmt: skip
    if not rows:
        raise NotFound(f"There is no tenant {tenant_id!r}.")
    now = pulse()
    workers = [WorkerHealth(row.worker_id, row.kind, abs(now - row.pulse)) for row in rows if row.worker_id is not None]
    return Frame(
        tenant=TenantRow(*rows[0][:5]),
        workers=sorted(workers, key=lambda worker: worker.silent_for),
        mark=rows[0].mark or 0,
    )


def _mark(tenant_id: str, thread_id: str | None) -> ScalarSelect[Any]:
    """A thread's version moves with every change of it; a tenant's audit log has one link per transaction."""
    if thread_id is None:
        newest = select(func.max(_links.c.link)).where(_links.c.tenant_id == tenant_id)
    else:
        newest = select(threads.c.version).where(threads.c.tenant_id == tenant_id, threads.c.id == thread_id)
    return newest.scalar_subquery()


def living(workers: Sequence[WorkerHealth], is_gone: Callable[[str], bool]) -> list[WorkerHealth]:
    """Leave out workers whose process is gone: others have taken over what they held."""
    return [worker for worker in workers if not is_gone(worker.id)]
