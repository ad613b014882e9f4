"""The table of memories."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, Sealed


class MemoryRow(Base, table=True):
    """A record kept for later threads: owner, source, confidence, created, expires, deleted; the text sealed."""

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
