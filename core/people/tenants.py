"""Tenants and their clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from core.clock import is_on_calendar, real_now, to_milliseconds
from core.db.store import Tx
from core.errors import BadInput, ClockIsReal, NotFound, meant
from core.people.tables import Tenant

_tenants = Tenant.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class TenantRow:
    """One tenant and its clock."""

    id: str
    name: str
    clock: str
    clock_start_at: datetime | None
    clock_offset_ms: int
    hold_seconds: int | None = None

    @property
    def is_fixture(self) -> bool:
        """Say whether this tenant lives on a clock that an operator moves."""
        return self.clock == "fixture"

    def now(self, frozen: datetime | None) -> datetime:
        """Answer the tenant's business time; `frozen` (DAYBOOK_NOW) overrides every clock."""
        if frozen is not None:
            return to_milliseconds(frozen)
        if self.clock_start_at is None:
            return real_now()
        return self.clock_start_at + timedelta(milliseconds=self.clock_offset_ms)


def list_tenants(conn: Connection) -> list[TenantRow]:
    """Answer every tenant, by id."""
    rows = conn.execute(
        select(
            _tenants.c.id,
            _tenants.c.name,
            _tenants.c.clock,
            _tenants.c.clock_start_at,
            _tenants.c.clock_offset_ms,
            _tenants.c.hold_seconds,
        ).order_by(_tenants.c.id)
    )
    return [TenantRow(*row) for row in rows]


def get_tenant(conn: Connection, tenant_id: str) -> TenantRow:
    """Answer one tenant, or raise NotFound."""
    known = {tenant.id: tenant for tenant in list_tenants(conn)}
    if tenant_id not in known:
        raise NotFound(f"There is no tenant {tenant_id[:80]!r}. {meant(tenant_id, known)}")
    return known[tenant_id]


def add_tenant(tx: Tx, tenant_id: str, name: str, now: datetime, *, starts_at: datetime | None = None) -> None:
    """Write a tenant; with `starts_at` it lives on a fixture clock that stands there."""
    tx.conn.execute(
        insert(_tenants).values(
            id=tenant_id,
            name=name,
            clock="real" if starts_at is None else "fixture",
            clock_start_at=starts_at,
            clock_offset_ms=0,
            created_at=now,
        )
    )


def hold_for(tx: Tx, tenant: TenantRow, seconds: int) -> bool:
    """Write how long the tenant's decisions are held, where nothing was written yet; answer whether it was."""
    written = tx.conn.execute(
        update(_tenants)
        .where(_tenants.c.id == tenant.id, _tenants.c.hold_seconds.is_(None))
        .values(hold_seconds=seconds)
    )
    return written.rowcount == 1


def move_clock(tx: Tx, tenant: TenantRow, to: datetime) -> None:
    """Set a fixture tenant's clock forward to an instant; raises ClockIsReal on a real one, BadInput past 2999."""
    if tenant.clock_start_at is None:
        raise ClockIsReal(f"Tenant {tenant.id} runs on the real clock, which nobody can move.")
    if not is_on_calendar(to):
        raise BadInput(f"Tenant {tenant.id}'s clock cannot be moved past the year 2999; move it less far.")
    offset = (to - tenant.clock_start_at) // timedelta(milliseconds=1)
    tx.conn.execute(
        update(_tenants)
        .where(_tenants.c.id == tenant.id, _tenants.c.clock_offset_ms <= offset)
        .values(clock_offset_ms=offset)
    )


def restart_clock(tx: Tx, tenant_id: str) -> None:
    """Set a fixture tenant's clock back to its start; only for a demo whose rows are gone, so that none lies ahead."""
    tx.conn.execute(
        update(_tenants).where(_tenants.c.id == tenant_id, _tenants.c.clock == "fixture").values(clock_offset_ms=0)
    )
