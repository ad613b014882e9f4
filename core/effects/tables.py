"""Tables of the ledger, and the trigger that guards them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonText, Sealed


class EffectRow(Base, table=True):
    """One effect under its key. The payload stands in the approval's option where there is one, else here, sealed.

    `via` names the outside that it was last handed to, and `trace` what to look for there; neither says whose it is.
    `checkpoint` is the one that its thread stood at when it was planned; None where that was not kept.
    """

    __tablename__ = "effects"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"]),
        CheckConstraint("status IN ('planned', 'sending', 'done', 'unknown', 'void')", name="status"),
        CheckConstraint("kind IN ('mail', 'read', 'tool')", name="kind"),
        CheckConstraint("(status = 'done') = (result_ref IS NOT NULL)", name="result"),
        CheckConstraint("NOT needs_approval OR approval_id IS NOT NULL", name="approval"),
        Index("ix_effects_thread", "tenant_id", "thread_id"),
        Index("ix_effects_status", "tenant_id", "status"),
    )

    tenant_id: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    thread_id: str
    kind: str
    needs_approval: bool
    approval_id: str | None = None
    verdict: str | None = None
    only_if: Any = Field(default=None, sa_type=JsonText, nullable=True)
    payload: bytes | None = Field(default=None, sa_type=Sealed)
    payload_hash: str
    status: str
    attempt: int = 1
    worker_id: str | None = None
    why: str | None = None
    planned_at: datetime = Field(sa_type=Instant)
    sending_at: datetime | None = Field(default=None, sa_type=Instant)
    done_at: datetime | None = Field(default=None, sa_type=Instant)
    result_ref: str | None = None
    settled_by: str | None = None
    via: str | None = None
    trace: str | None = None
    checkpoint: int | None = None


class EffectAttempt(Base, table=True):
    """An attempt that another one followed: its payload's hash, how it ended. Append-only."""

    __tablename__ = "effect_attempts"
    __table_args__ = (ForeignKeyConstraint(["tenant_id", "key"], ["effects.tenant_id", "effects.key"]),)

    tenant_id: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    attempt: int = Field(primary_key=True)
    payload_hash: str
    status: str
    why: str | None = None
    sending_at: datetime | None = Field(default=None, sa_type=Instant)
    ended_at: datetime = Field(sa_type=Instant)


class AheadRow(Base, table=True):
    """A key of which the effect journal names an attempt that the ledger has no row for: it may have left."""

    __tablename__ = "effects_ahead"

    tenant_id: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    attempt: int
    payload_hash: str


class JournalRead(Base, table=True):
    """How far the effect journal was held against a tenant's ledger: so many bytes, and a hash of what ends there.

    It goes back with the database, so that an older copy reads again what was written since.
    """

    __tablename__ = "journal_reads"

    tenant_id: str = Field(primary_key=True)
    byte_count: int
    ending: str


# The database refuses by itself what no code path may do: an effect that needs an approval leaves only under one that
# is decided, released and froze exactly this payload. (Time is the gate's.)
_AS_APPROVED = """
  SELECT 1 FROM approvals a JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id
  WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.approval_id AND a.released_at IS NOT NULL
    AND a.status IN ('approved', 'rejected') AND o.verdict = a.verdict
    AND o.effect_key = NEW.key AND o.payload_hash = NEW.payload_hash"""
GUARD_NAME = "effects_leave_only_as_approved"
_REFUSAL = "effect without a released approval for exactly this payload"
GUARD_TRIGGER = {
    "sqlite": f"""
CREATE TRIGGER {GUARD_NAME} BEFORE UPDATE OF status ON effects
WHEN NEW.status = 'sending' AND NEW.needs_approval AND NOT EXISTS ({_AS_APPROVED})
BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END
""",
    "postgresql": f"""
CREATE FUNCTION {GUARD_NAME}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'sending' AND NEW.needs_approval AND NOT EXISTS ({_AS_APPROVED}) THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = '{_REFUSAL}';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER {GUARD_NAME} BEFORE UPDATE OF status ON effects
FOR EACH ROW EXECUTE FUNCTION {GUARD_NAME}();
""",
}


class Switch(Base, table=True):
    """A switch of the whole home, on where it has no row; `sending` off holds every effect at the gate."""

    __tablename__ = "switches"

    name: str = Field(primary_key=True)
    is_on: bool
    changed_by: str
    changed_at: datetime = Field(sa_type=Instant)
