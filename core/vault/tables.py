"""Tables of the vault: subjects, look-ups by keyed hash, tombstones."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index
from sqlmodel import Field

from core.db.base import BY_KEY, Base
from core.db.types import Instant, Sealed


class Subject(Base, table=True):
    """The person (or job) whose data it is, under a random id."""

    __tablename__ = "subjects"

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    created_at: datetime = Field(sa_type=Instant)


class SubjectFields(Base, table=True):
    """What a subject told us for one thread, as typed: name, address, form; sealed, current version only."""

    __tablename__ = "subject_fields"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "subject_id"], ["subjects.tenant_id", "subjects.id"]),
        Index("ix_subject_fields_subject", "tenant_id", "subject_id"),
    )

    tenant_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    subject_id: str
    version: int
    sealed: bytes = Field(sa_type=Sealed)


class Lookup(Base, table=True):
    """A keyed hash under which a thread is found: its address, a folded word of its name, its file.

    `scope` narrows uniqueness (a role for an applicant, the thread itself for a name's word); `ordinal`
    is above 1 only where a person applied again on purpose. `rule` is the version of the rule by which an
    address was made comparable before it was hashed.
    """

    __tablename__ = "lookups"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "subject_id"], ["subjects.tenant_id", "subjects.id"]),
        Index("ix_lookups_thread", "tenant_id", "thread_id"),
        Index("ix_lookups_hash", "tenant_id", "kind", "hash"),
        BY_KEY,
    )

    tenant_id: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    scope: str = Field(primary_key=True)
    hash: str = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    rule: int | None
    subject_id: str
    thread_id: str


class Tombstone(Base, table=True):
    """An erased subject: the random id only, so that no late write brings them back."""

    __tablename__ = "tombstones"

    tenant_id: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True)
    erased_at: datetime = Field(sa_type=Instant)
