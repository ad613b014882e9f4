"""The table of receipts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, Sealed


class ReceiptRow(Base, table=True):
    """The reference to kept bytes: a random id, the thread it is kept for, its size and keyed hash.

    The file's own name is personal content and is sealed.
    """

    __tablename__ = "receipts"
    __table_args__ = (Index("ix_receipts_thread", "tenant_id", "thread_id"),)

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    thread_id: str
    subject_id: str
    rule: str
    media_type: str
    size: int
    hash: str
    name: bytes | None = Field(default=None, sa_type=Sealed)
    kept_at: datetime = Field(sa_type=Instant)
