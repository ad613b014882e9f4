"""Tables of threads."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, false, text
from sqlmodel import Field

from core.db.base import BY_KEY, Base
from core.db.types import Instant, JsonMap, JsonText, Sealed

STATUSES = (
    "ready", "running", "awaiting_review", "waiting", "parked", "completed", "rejected", "failed", "erased",
)  # fmt: skip
ENDED = ("completed", "rejected", "failed", "erased")
_THREAD = (["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"])


def _one_of(column: str, words: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join(repr(word) for word in words)})"


class ThreadRow(Base, table=True):
    """One subject's durable life through a workflow.

    `wake_at` is the only timer there is. `signals` rises with every event and decision, so that a settling step
    sees that something came while it ran. `lease_no` rises with every claim and every fence. `parked_why` says why a
    parked thread stands, or why a waiting one stands still though it was due. `owner_id` is the person who opened it.

    A fork names the thread and the checkpoint that it was taken from, and in `reuses` what was read there already
    (by the effect's name: when, its receipt, a keyed hash of what was asked for). Nothing leaves a sandbox.
    """

    __tablename__ = "threads"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "subject_id"], ["subjects.tenant_id", "subjects.id"]),
        CheckConstraint(_one_of("status", STATUSES), name="status"),
        # One row whose time nobody can read would stop the due loop for all the others.
        CheckConstraint("wake_at IS NULL OR wake_at LIKE '____-__-__T__:__:__.___Z'", name="wake_at"),
        Index(
            "ix_threads_due", "tenant_id", "wake_at", "id",
            sqlite_where=text("wake_at IS NOT NULL AND lease_holder IS NULL"),
            postgresql_where=text("wake_at IS NOT NULL AND lease_holder IS NULL"),
        ),
        Index(
            "ix_threads_held", "lease_holder",
            sqlite_where=text("lease_holder IS NOT NULL"), postgresql_where=text("lease_holder IS NOT NULL"),
        ),
        # What the list of runs is walked along; the last four never move once a thread is there.
        Index("ix_threads_list", "tenant_id", "status", "since_at", "id"),
        Index("ix_threads_role", "tenant_id", "role_id", "id"),
        Index("ix_threads_workflow", "tenant_id", "workflow", "id"),
        Index("ix_threads_owner", "tenant_id", "owner_id", "id"),
        Index("ix_threads_opened", "tenant_id", "created_at", "id"),
        Index(
            "ix_threads_forks", "tenant_id", "forked_from",
            sqlite_where=text("forked_from IS NOT NULL"), postgresql_where=text("forked_from IS NOT NULL"),
        ),
    )  # fmt: skip

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    workflow: str
    workflow_version: int
    goal: str
    role_id: str | None = None
    subject_id: str
    configs: Any = Field(sa_type=JsonMap)
    status: str
    outcome: str | None = None
    step: str
    checkpoint: int = 0
    waits_for: str | None = None
    wait_events: Any = Field(default=None, sa_type=JsonText, nullable=True)
    since_at: datetime | None = Field(default=None, sa_type=Instant)
    until_at: datetime | None = Field(default=None, sa_type=Instant)
    then_what: str | None = None
    wake_at: datetime | None = Field(default=None, sa_type=Instant)
    signals: int = 0
    lease_no: int = 0
    lease_holder: str | None = None
    lease_pulse: float | None = None
    tries: int = 0
    deaths: int = 0
    parked_why: str | None = None
    version: int = 1
    created_at: datetime = Field(sa_type=Instant)
    updated_at: datetime = Field(sa_type=Instant)
    owner_id: str | None = None
    forked_from: str | None = None
    forked_at: int | None = None
    is_sandbox: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    reuses: Any = Field(default=None, sa_type=JsonText, nullable=True)


class CheckpointRow(Base, table=True):
    """The state saved when a step settled: its number, its step, and (in sections) the fields that changed."""

    __tablename__ = "checkpoints"
    __table_args__ = (
        ForeignKeyConstraint(*_THREAD),
        CheckConstraint(_one_of("cause", ("open", "step", "undo", "amend")), name="cause"),
        BY_KEY,
    )

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    step: str
    next_step: str
    cause: str
    at: datetime = Field(sa_type=Instant)


class CheckpointSection(Base, table=True):
    """The fields one checkpoint changed, of one retention rule, sealed."""

    __tablename__ = "checkpoint_sections"
    __table_args__ = (ForeignKeyConstraint(*_THREAD),)

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    rule: str = Field(primary_key=True)
    sealed: bytes = Field(sa_type=Sealed)


class ThreadSection(Base, table=True):
    """A thread's current state of one retention rule, sealed; `number` is the checkpoint that wrote it."""

    __tablename__ = "thread_sections"
    __table_args__ = (ForeignKeyConstraint(*_THREAD),)

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    rule: str = Field(primary_key=True)
    number: int
    sealed: bytes = Field(sa_type=Sealed)


class PlanStep(Base, table=True):
    """One step of a thread's plan. What is now and what waits is read off the thread itself."""

    __tablename__ = "plan_steps"
    __table_args__ = (
        ForeignKeyConstraint(*_THREAD),
        CheckConstraint(_one_of("status", ("later", "done", "skipped", "stopped")), name="status"),
        BY_KEY,
    )

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    step: str
    title: str
    status: str = "later"
    summary: bytes | None = Field(default=None, sa_type=Sealed)
    receipts: Any = Field(default=None, sa_type=JsonText, nullable=True)
    done_at: datetime | None = Field(default=None, sa_type=Instant)


class AttemptRow(Base, table=True):
    """A try that did not settle: an error, or the death of the process that performed it. Append-only."""

    __tablename__ = "attempts"
    __table_args__ = (
        ForeignKeyConstraint(*_THREAD),
        CheckConstraint(_one_of("result", ("error", "died")), name="result"),
        Index("ix_attempts_thread", "tenant_id", "thread_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tenant_id: str
    thread_id: str
    step: str
    checkpoint: int
    lease_no: int
    result: str
    code: str
    frame: bytes | None = Field(default=None, sa_type=Sealed)
    worker_id: str
    at: datetime = Field(sa_type=Instant)


class EventRow(Base, table=True):
    """Something from outside. Stored even when nobody waits; consumed once, by the checkpoint named."""

    __tablename__ = "events"
    __table_args__ = (
        ForeignKeyConstraint(*_THREAD),
        Index("uq_events_key", "tenant_id", "thread_id", "name", "key_hash", unique=True),
    )

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    name: str
    key_hash: str
    data_hash: str
    sealed: bytes = Field(sa_type=Sealed)
    received_at: datetime = Field(sa_type=Instant)
    late: bool
    consumed_by: int | None = None
    seen_by: str | None = None
    seen_at: datetime | None = Field(default=None, sa_type=Instant)


class AnswerLink(Base, table=True):
    """The page on which a subject answers a letter: a keyed hash of its token, and the slot that was taken there.

    A thread has one; a slot of a role is taken once.
    """

    __tablename__ = "answer_links"
    __table_args__ = (
        ForeignKeyConstraint(*_THREAD),
        Index("uq_answer_links_token", "token_hash", unique=True),
        Index("uq_answer_links_slot", "tenant_id", "role_id", "slot_at", unique=True),
    )

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    token_hash: str
    letter: str
    role_id: str | None = None
    slot_at: datetime | None = Field(default=None, sa_type=Instant)
    made_at: datetime = Field(sa_type=Instant)


class NoteRow(Base, table=True):
    """A line that a person wrote in a thread, and who approved it; the latest approved one may enter a packet."""

    __tablename__ = "notes"
    __table_args__ = (
        ForeignKeyConstraint(*_THREAD),
        CheckConstraint("(approved_by IS NULL) = (approved_at IS NULL)", name="approved"),
    )

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    author_id: str
    sealed: bytes = Field(sa_type=Sealed)
    written_at: datetime = Field(sa_type=Instant)
    approved_by: str | None = None
    approved_at: datetime | None = Field(default=None, sa_type=Instant)


class WorkerRow(Base, table=True):
    """A worker and its pulse. Only liveness is read off it."""

    __tablename__ = "workers"

    id: str = Field(primary_key=True)
    kind: str
    host: str
    pid: int
    pulse: float
    started_at: datetime = Field(sa_type=Instant)
    seen_at: datetime = Field(sa_type=Instant)
