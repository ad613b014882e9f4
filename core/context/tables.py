"""The table of manifests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonText


class ManifestRow(Base, table=True):
    """What one model call was sent: per item its slot, source, id, version, tokens and keyed hash; never its text."""

    __tablename__ = "manifests"

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    checkpoint: int = Field(primary_key=True)
    n: int = Field(primary_key=True)
    step: str
    purpose: str
    model: str
    budget_tokens: int
    items: Any = Field(sa_type=JsonText)
    filtered: Any = Field(sa_type=JsonText)
    at: datetime = Field(sa_type=Instant)
