"""Workers and what is overdue: what a page says before anybody looks for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, column, exists, func, select, table

from core.clock import pulse
from core.effects.tables import Switch
from core.threads.rows import threads
from core.threads.tables import WorkerRow

_schema = table("alembic_version", column("version_num"))
_switches = Switch.__table__  # type: ignore[attr-defined]
_workers = WorkerRow.__table__  # type: ignore[attr-defined]
SILENT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class WorkerHealth:
    """One worker: `silent_for` is seconds of pulse since it was last heard."""

    id: str
    kind: str
    silent_for: float

    @property
    def is_silent(self) -> bool:
        """Say whether it has not been heard for too long."""
        return self.silent_for > SILENT_SECONDS


@dataclass(frozen=True, slots=True)
class Overdue:
    """How many threads are due and not taken, and since when the oldest is due."""

    count: int
    oldest_at: datetime | None


@dataclass(frozen=True, slots=True)
class Health:
    """What is due and not taken, whether anything may leave, and the schema that the database stands at."""

    overdue: Overdue
    sending_is_on: bool
    schema: str


def read_health(conn: Connection, tenant_id: str, now: datetime) -> Health:
    """Answer a tenant's health at its business time, in one statement."""
    off = exists().where(_switches.c.name == "sending", _switches.c.is_on.is_(False))
    due = select(func.count().label("number"), func.min(threads.c.wake_at).label("oldest")).where(
        threads.c.tenant_id == tenant_id, threads.c.wake_at <= now, threads.c.lease_holder.is_(None)
    )
    counted = due.subquery()
    schema = select(_schema.c.version_num).limit(1).scalar_subquery()
    row = conn.execute(select(counted.c.number, counted.c.oldest, off.label("off"), schema.label("schema"))).one()
    return Health(Overdue(int(row.number), row.oldest), not row.off, row.schema)


def list_workers(conn: Connection) -> list[WorkerHealth]:
    """Answer the workers that have said they live, the one heard last first."""
    now = pulse()
    rows = conn.execute(select(_workers.c.id, _workers.c.kind, _workers.c.pulse))
    found = [WorkerHealth(row.id, row.kind, abs(now - row.pulse)) for row in rows]
    return sorted(found, key=lambda worker: worker.silent_for)


def find_overdue(conn: Connection, tenant_id: str, now: datetime) -> Overdue:
    """Answer what is due in a tenant and not taken."""
    row = conn.execute(
        select(func.count(), func.min(threads.c.wake_at)).where(
            threads.c.tenant_id == tenant_id, threads.c.wake_at <= now, threads.c.lease_holder.is_(None)
        )
    ).one()
    return Overdue(int(row[0]), row[1])
