"""The table of memories."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from core.db.base import BY_KEY, Base
from core.db.types import Instant, JsonText, Sealed


class MemoryRow(Base, table=True):
    """A record kept for later threads: owner, source, confidence, created, expires, deleted; the text sealed.

    `trust` is the least of the source's and of what the record was drawn from: 2 stated, 1 allowed by a person, 0 what
    a document, a tool or a model says. `anchor_id` is the role whose closing or next rubric sets `expires_at` anew,
    and `latest_at` the date beyond which none does.
    """

    __tablename__ = "memories"
    __table_args__ = (
        CheckConstraint("state IN ('live', 'quarantined', 'superseded')", name="state"),
        CheckConstraint("confidence BETWEEN 0 AND 1", name="confidence"),
        Index("ix_memories_key", "tenant_id", "kind", "key_hash", "created_at"),
        Index("ix_memories_thread", "tenant_id", "thread_id"),
    )

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    kind: str
    owner_id: str
    key_hash: str
    source_ref: str
    thread_id: str
    subject_id: str
    rule: str
    sealed: bytes = Field(sa_type=Sealed)
    confidence: float
    state: str
    version: int = 1
    created_at: datetime = Field(sa_type=Instant)
    expires_at: datetime = Field(sa_type=Instant)
    deleted_at: datetime | None = Field(default=None, sa_type=Instant)
    origin: str = Field(default="workflow", sa_column_kwargs={"server_default": "workflow"})
    trust: int = Field(default=2, sa_column_kwargs={"server_default": "2"})
    drawn_from: Any = Field(default=None, sa_type=JsonText, nullable=True)
    latest_at: datetime | None = Field(default=None, sa_type=Instant)
    anchor_id: str | None = None
    superseded_by: str | None = None
    deleted_why: str | None = None
    changed_by: str | None = None


class MemoryRead(Base, table=True):
    """A record that a thread was handed: what it reads, it may not write back."""

    __tablename__ = "memory_reads"
    __table_args__ = (BY_KEY,)

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    memory_id: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Instant)
