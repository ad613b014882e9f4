"""Tables of tenants and people."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonText


class Tenant(Base, table=True):
    """Who owns rows. A fixture clock stands at `clock_start_at` plus `clock_offset_ms`; only an operator moves it.

    `hold_seconds` is how long its decisions are held where neither the settings nor a role say.
    """

    __tablename__ = "tenants"
    __table_args__ = (CheckConstraint("clock IN ('real', 'fixture')", name="clock"),)

    id: str = Field(primary_key=True)
    name: str
    clock: str
    clock_start_at: datetime | None = Field(default=None, sa_type=Instant)
    clock_offset_ms: int = 0
    created_at: datetime = Field(sa_type=Instant)
    hold_seconds: int | None = None


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


class Password(Base, table=True):
    """A person's password, as argon2id keeps it. A person without a row acts on the command line only."""

    __tablename__ = "passwords"
    __table_args__ = (ForeignKeyConstraint(["tenant_id", "person_id"], ["people.tenant_id", "people.id"]),)

    tenant_id: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True)
    hash: str
    changed_at: datetime = Field(sa_type=Instant)


class SignedIn(Base, table=True):
    """One session: the SHA-256 of the token in its cookie, whose it is, and until when."""

    __tablename__ = "sessions"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "person_id"], ["people.tenant_id", "people.id"]),
        Index("ix_sessions_person", "tenant_id", "person_id"),
    )

    token_hash: str = Field(primary_key=True)
    tenant_id: str
    person_id: str
    started_at: datetime = Field(sa_type=Instant)
    seen_at: datetime = Field(sa_type=Instant)


class SignInTry(Base, table=True):
    """Failed sign-ins under one name, known or not, by keyed hash; a name is let in again after `until_at`."""

    __tablename__ = "sign_in_tries"

    tenant_id: str = Field(primary_key=True)
    name_hash: str = Field(primary_key=True)
    failures: int
    until_at: datetime = Field(sa_type=Instant)


class SignInCode(Base, table=True):
    """A code by which one person signs in once, by its keyed hash; taking it removes the row."""

    __tablename__ = "sign_in_codes"
    __table_args__ = (ForeignKeyConstraint(["tenant_id", "person_id"], ["people.tenant_id", "people.id"]),)

    tenant_id: str = Field(primary_key=True)
    code_hash: str = Field(primary_key=True)
    person_id: str
    made_at: datetime = Field(sa_type=Instant)


class TeamRow(Base, table=True):
    """A tenant that is a team of a workshop. `foreign_memory_id` is another tenant's record that it may never see.

    While `paused_at` stands its page does nothing.
    """

    __tablename__ = "teams"

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    number: int
    foreign_memory_id: str
    opened_at: datetime = Field(sa_type=Instant)
    paused_at: datetime | None = Field(default=None, sa_type=Instant)


class TeamTickRow(Base, table=True):
    """What a team did in the workshop that no other row shows: an exercise by its name, what came of it, when."""

    __tablename__ = "team_ticks"

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    tick: str = Field(primary_key=True)
    detail: Any = Field(sa_type=JsonText)
    at: datetime = Field(sa_type=Instant)


class ApiKeyRow(Base, table=True):
    """A key by which a program acts: the SHA-256 of its random secret, and the verbs it may use. Kept when revoked."""

    __tablename__ = "api_keys"
    __table_args__ = (Index("uq_api_keys_id", "id", unique=True),)

    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id")
    id: str = Field(primary_key=True)
    name: str
    secret_digest: str
    verbs: Any = Field(sa_type=JsonText)
    created_by: str
    created_at: datetime = Field(sa_type=Instant)
    revoked_by: str | None = None
    revoked_at: datetime | None = Field(default=None, sa_type=Instant)


class ApiRequestRow(Base, table=True):
    """A request that was carried out under an Idempotency-Key: keyed hashes of key and content, and the ids it made."""

    __tablename__ = "api_requests"
    __table_args__ = (
        Index("ix_api_requests_thread", "tenant_id", "thread_id"),
        Index("ix_api_requests_answered_at", "answered_at"),
    )

    tenant_id: str = Field(primary_key=True)
    api_key_id: str = Field(primary_key=True)
    key_hash: str = Field(primary_key=True)
    body_hash: str
    thread_id: str
    answer: Any = Field(sa_type=JsonText)
    answered_at: datetime = Field(sa_type=Instant)
