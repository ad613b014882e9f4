"""Tables of approvals and sittings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, text
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonMap, JsonText, Sealed

APPROVAL_STATUSES = ("pending", "approved", "rejected", "expired", "withdrawn", "superseded")


class ApprovalRow(Base, table=True):
    """A question for a person, the answer, who and when; `version` rises with every change of either.

    `came_back` says why the question stands again: the answer that no longer holds, and the versions that moved.
    """

    __tablename__ = "approvals"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"]),
        CheckConstraint(f"status IN {APPROVAL_STATUSES!r}", name="status"),
        CheckConstraint("(status IN ('approved', 'rejected')) = (decided_by IS NOT NULL)", name="who"),
        CheckConstraint("released_at IS NULL OR release_at IS NOT NULL", name="released"),
        Index("ix_approvals_thread", "tenant_id", "thread_id"),
        Index("ix_approvals_status", "tenant_id", "status", "due_at"),
        Index("ix_approvals_decided", "tenant_id", "decided_at"),
    )

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    thread_id: str
    step: str
    kind: str
    about: str
    status: str
    version: int
    question: bytes = Field(sa_type=Sealed)
    basis: Any = Field(sa_type=JsonMap)
    asked_hash: str
    asked_at: datetime = Field(sa_type=Instant)
    due_at: datetime = Field(sa_type=Instant)
    expires_at: datetime | None = Field(default=None, sa_type=Instant)
    verdict: str | None = None
    decided_by: str | None = None
    decided_at: datetime | None = Field(default=None, sa_type=Instant)
    remark: bytes | None = Field(default=None, sa_type=Sealed)
    release_at: datetime | None = Field(default=None, sa_type=Instant)
    released_at: datetime | None = Field(default=None, sa_type=Instant)
    consumed_by: int | None = None
    came_back: Any = Field(default=None, sa_type=JsonMap, nullable=True)


class OptionRow(Base, table=True):
    """One effect that one verdict releases, frozen when the question was asked; a verdict without effects has one row
    whose key is null."""

    __tablename__ = "approval_options"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "approval_id"], ["approvals.tenant_id", "approvals.id"]),
        CheckConstraint("verdict IN ('approve', 'reject')", name="verdict"),
        CheckConstraint("(effect_key IS NULL) = (payload_hash IS NULL)", name="payload"),
    )

    tenant_id: str = Field(primary_key=True)
    approval_id: str = Field(primary_key=True)
    verdict: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    effect_key: str | None = None
    kind: str | None = None
    only_if: Any = Field(default=None, sa_type=JsonText, nullable=True)
    payload: bytes | None = Field(default=None, sa_type=Sealed)
    payload_hash: str | None = None
    edited_by: str | None = None
    edited_at: datetime | None = Field(default=None, sa_type=Instant)


class SittingRow(Base, table=True):
    """One stretch in which a reviewer works through the queue; it has ended by itself 30 minutes after `seen_at`."""

    __tablename__ = "sittings"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "person_id"], ["people.tenant_id", "people.id"]),
        CheckConstraint("(ended_at IS NULL) = (ended_why IS NULL)", name="ended"),
        Index("ix_sittings_person", "tenant_id", "person_id", "opened_at"),
        Index("uq_sittings_open", "tenant_id", "person_id", unique=True, sqlite_where=text("ended_at IS NULL"),
              postgresql_where=text("ended_at IS NULL")),
    )  # fmt: skip

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    person_id: str
    opened_at: datetime = Field(sa_type=Instant)
    seen_at: datetime = Field(sa_type=Instant)
    ended_at: datetime | None = Field(default=None, sa_type=Instant)
    ended_why: str | None = None


class SittingVerdict(Base, table=True):
    """One verdict of a sitting, as the page knew it: how long the person looked (None in a batch), what stood out.

    It stands while its approval was decided at the same instant; an undo leaves it here. `is_edited`: its message or
    its total was changed by hand. `look_why`: it asks for a second look, answered by `look_verdict`; `leaves_at`
    is when its hold would have ended without that.
    """

    __tablename__ = "sitting_verdicts"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "sitting_id"], ["sittings.tenant_id", "sittings.id"]),
        ForeignKeyConstraint(["tenant_id", "approval_id"], ["approvals.tenant_id", "approvals.id"]),
        Index("ix_sitting_verdicts_person", "tenant_id", "person_id", "at"),
        Index("ix_sitting_verdicts_approval", "tenant_id", "approval_id"),
    )

    tenant_id: str = Field(primary_key=True)
    sitting_id: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    person_id: str
    approval_id: str
    thread_id: str
    version: int
    verdict: str
    at: datetime = Field(sa_type=Instant)
    took_ms: int | None
    is_against: bool
    is_edited: bool
    look_why: str | None = None
    look_verdict: str | None = None
    looked_at: datetime | None = Field(default=None, sa_type=Instant)
    leaves_at: datetime | None = Field(default=None, sa_type=Instant)


class SnoozeRow(Base, table=True):
    """A question that one person put aside until a time; it is in nobody else's way and comes back by itself."""

    __tablename__ = "snoozes"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "approval_id"], ["approvals.tenant_id", "approvals.id"]),
        ForeignKeyConstraint(["tenant_id", "person_id"], ["people.tenant_id", "people.id"]),
    )

    tenant_id: str = Field(primary_key=True)
    approval_id: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True)
    thread_id: str
    snoozed_at: datetime = Field(sa_type=Instant)
    until_at: datetime = Field(sa_type=Instant)
