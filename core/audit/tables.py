"""Tables of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary
from sqlmodel import Field

from core.db.base import BY_KEY, Base
from core.db.types import Instant, JsonText


class AuditLink(Base, table=True):
    """One transaction's link: `digest` covers the link before it and the digests of its entries."""

    __tablename__ = "audit_links"
    __table_args__ = (BY_KEY,)

    tenant_id: str = Field(primary_key=True)
    link: int = Field(primary_key=True)
    at: datetime = Field(sa_type=Instant)
    count: int
    digest: bytes = Field(sa_type=LargeBinary)


class AuditEntry(Base, table=True):
    """One entry: who did what to which thread, with ids, versions and codes only; its time is its link's."""

    __tablename__ = "audit_entries"
    __table_args__ = (BY_KEY,)

    tenant_id: str = Field(primary_key=True)
    link: int = Field(primary_key=True)
    n: int = Field(primary_key=True)
    actor: str
    act: str
    thread_id: str | None
    detail: Any = Field(sa_type=JsonText)
    salt: bytes = Field(sa_type=LargeBinary)
