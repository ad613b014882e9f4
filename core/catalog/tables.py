"""Tables of the catalogue."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonMap


class RoleRow(Base, table=True):
    """A role people apply to. `applications` is the last number handed out."""

    __tablename__ = "roles"
    __table_args__ = (CheckConstraint("status IN ('open', 'closed')", name="status"),)

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    id: str = Field(primary_key=True)
    title: str
    status: str
    applications: int = 0
    created_at: datetime = Field(sa_type=Instant)
    closed_at: datetime | None = Field(default=None, sa_type=Instant)


class ConfigRow(Base, table=True):
    """One version of one kind of configuration; written once, never changed."""

    __tablename__ = "configs"
    __table_args__ = (ForeignKeyConstraint(["tenant_id", "role_id"], ["roles.tenant_id", "roles.id"]),)

    tenant_id: str = Field(primary_key=True)
    role_id: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    content: Any = Field(sa_type=JsonMap)
    created_at: datetime = Field(sa_type=Instant)
    created_by: str


class PolicyRow(Base, table=True):
    """One version of a workflow's policy, as its file stood when a thread was opened under it; never changed."""

    __tablename__ = "policies"

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    name: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    content: Any = Field(sa_type=JsonMap)
    created_at: datetime = Field(sa_type=Instant)
    created_by: str
