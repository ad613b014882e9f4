"""Tenants and their clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from core.clock import real_now, to_milliseconds
from core.db.store import Tx
from core.errors import ClockIsReal, NotFound
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
        ).order_by(_tenants.c.id)
    )
    return [TenantRow(*row) for row in rows]


def get_tenant(conn: Connection, tenant_id: str) -> TenantRow:
    """Answer one tenant, or raise NotFound."""
    for tenant in list_tenants(conn):
        if tenant.id == tenant_id:
            return tenant
    raise NotFound(f"There is no tenant {tenant_id!r}.")


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


def move_clock(tx: Tx, tenant: TenantRow, to: datetime) -> None:
    """Set a fixture tenant's clock forward to an instant; raises ClockIsReal on a real one."""
    if tenant.clock_start_at is None:
        raise ClockIsReal(f"Tenant {tenant.id} runs on the real clock, which nobody can move.")
    offset = (to - tenant.clock_start_at) // timedelta(milliseconds=1)
    tx.conn.execute(
        update(_tenants)
        .where(_tenants.c.id == tenant.id, _tenants.c.clock_offset_ms <= offset)
        .values(clock_offset_ms=offset)
    )
