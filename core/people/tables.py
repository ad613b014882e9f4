"""Tables of tenants and people."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant


class Tenant(Base, table=True):
    """Who owns rows. A fixture clock stands at `clock_start_at` plus `clock_offset_ms`; only an operator moves it."""

    __tablename__ = "tenants"
    __table_args__ = (CheckConstraint("clock IN ('real', 'fixture')", name="clock"),)

    id: str = Field(primary_key=True)
    name: str
    clock: str
    clock_start_at: datetime | None = Field(default=None, sa_type=Instant)
    clock_offset_ms: int = 0
    created_at: datetime = Field(sa_type=Instant)


class PersonRow(Base, table=True):
    """Who acts. `access` is owner, reviewer or viewer; a person who left is not active."""

    __tablename__ = "people"
    __table_args__ = (
        CheckConstraint("access IN ('owner', 'reviewer', 'viewer')", name="access"),
        Index("uq_people_email", "tenant_id", "email_folded", unique=True),
    )

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    id: str = Field(primary_key=True)
    email: str
    email_folded: str
    name: str
    access: str
    active: bool = True
    created_at: datetime = Field(sa_type=Instant)
