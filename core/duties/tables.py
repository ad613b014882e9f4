"""Tables of duties."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, text
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonText


class DutyRow(Base, table=True):
    """What a tenant does at a local time; `next_day` is the local day that `next_at` belongs to."""

    __tablename__ = "duties"
    __table_args__ = (Index("ix_duties_due", "tenant_id", "next_at"),)

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    name: str = Field(primary_key=True)
    at_time: str
    zone: str
    weekday: int | None = None
    next_day: str | None = None
    next_at: datetime | None = Field(default=None, sa_type=Instant)
    set_by: str
    set_at: datetime = Field(sa_type=Instant)


class DutyRunRow(Base, table=True):
    """One run: a local day has one. `missed` counts the days before it on which nobody was there to run it."""

    __tablename__ = "duty_runs"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "name"], ["duties.tenant_id", "duties.name"]),
        Index(
            "ix_duty_runs_open", "tenant_id", sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )  # fmt: skip

    tenant_id: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    day: str = Field(primary_key=True)
    due_at: datetime = Field(sa_type=Instant)
    moved: str | None = None
    missed: int = 0
    worker_id: str
    tries: int = 1
    started_at: datetime = Field(sa_type=Instant)
    retry_at: datetime | None = Field(default=None, sa_type=Instant)
    ended_at: datetime | None = Field(default=None, sa_type=Instant)
    failed: str | None = None
    result: Any = Field(default=None, sa_type=JsonText, nullable=True)
