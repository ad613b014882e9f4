"""The table of model calls."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Date, Index, text
from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant, JsonText

STATUSES = ("open", "answered", "unfit", "failed", "unknown")


class ModelCall(Base, table=True):
    """One call that left the machine, and what it used.

    `n` counts the calls of its thread from 1. `open` is committed before the first byte leaves; a row that stays so is
    of a process that died, and what it used is unknown. Counts are the provider's own. `rates` are frozen when the call
    is opened, in whole picodollars a token. `picodollars` is NULL where nobody can say, and `unpriced_why` then says
    why. `sent_bytes` is the size of what was handed over. The estimated tokens are low, middle and high, with what
    they rest on: `bytes`, so many recorded `calls`, or `counted` by the provider. `forecast_picodollars` is what the
    call was expected to cost; `estimated_picodollars` what it would cost at its high end and with all the output it was
    allowed, and so what is reserved for it while it is out. `processing` is `batch` for what went into a batch, whose
    id at the provider is `batch_id`; `asked_hash`, under the subject's key, tells whether the same would be asked now.
    """

    __tablename__ = "model_calls"
    __table_args__ = (
        CheckConstraint(f"status IN ({', '.join(repr(word) for word in STATUSES)})", name="status"),
        CheckConstraint("(status = 'open') = (closed_at IS NULL)", name="closed_at"),
        CheckConstraint("(fresh_tokens IS NOT NULL) = (status IN ('answered', 'unfit'))", name="usage"),
        CheckConstraint("(picodollars IS NULL) = (unpriced_why IS NOT NULL)", name="picodollars"),
        CheckConstraint("picodollars IS NULL OR fresh_tokens IS NOT NULL", name="priced"),
        Index("uq_model_calls_n", "tenant_id", "thread_id", "n", unique=True),
        Index("ix_model_calls_role", "tenant_id", "role_id"),
        Index("ix_model_calls_opened", "tenant_id", "opened_at"),
        Index("ix_model_calls_step", "tenant_id", "step", "model", "opened_at"),
        Index(
            "ix_model_calls_unpriced",
            "tenant_id",
            "unpriced_why",
            sqlite_where=text("unpriced_why IS NOT NULL"),
            postgresql_where=text("unpriced_why IS NOT NULL"),
        ),
    )

    tenant_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    thread_id: str
    n: int
    role_id: str | None = None
    step: str
    checkpoint: int
    lease_no: int
    purpose: str
    model: str
    answered_by: str | None = None
    request_id: str | None = None
    status: str
    why: str | None = None
    stop_reason: str | None = None
    tier: str | None = None
    fresh_tokens: int | None = None
    cache_write_5m_tokens: int | None = None
    cache_write_1h_tokens: int | None = None
    cache_read_tokens: int | None = None
    output_tokens: int | None = None
    thinking_tokens: int | None = None
    rates: Any = Field(default=None, sa_type=JsonText, nullable=True)
    rates_source: str | None = None
    rates_day: date | None = Field(default=None, sa_type=Date)
    picodollars: int | None = Field(default=None, sa_type=BigInteger)
    unpriced_why: str | None = None
    processing: str = Field(default="standard", sa_column_kwargs={"server_default": "standard"})
    batch_id: str | None = None
    asked_hash: str | None = None
    sent_bytes: int | None = None
    estimated_low_tokens: int | None = None
    estimated_input_tokens: int
    estimated_high_tokens: int | None = None
    estimated_output_tokens: int | None = None
    estimate_source: str | None = None
    estimate_calls: int | None = None
    forecast_picodollars: int | None = Field(default=None, sa_type=BigInteger)
    estimated_picodollars: int | None = Field(default=None, sa_type=BigInteger)
    opened_at: datetime = Field(sa_type=Instant)
    closed_at: datetime | None = Field(default=None, sa_type=Instant)


class BudgetRow(Base, table=True):
    """One version of what a role (or, with an empty role, a tenant) may spend on models; the newest holds.

    `limit_picodollars` is NULL where the budget was taken away. It counts the calls opened since `begins_at`, or all.
    """

    __tablename__ = "budgets"
    __table_args__ = (CheckConstraint("limit_picodollars IS NULL OR limit_picodollars >= 0", name="limit"),)

    tenant_id: str = Field(primary_key=True)
    role_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    limit_picodollars: int | None = Field(default=None, sa_type=BigInteger)
    begins_at: datetime | None = Field(default=None, sa_type=Instant)
    set_by: str
    set_at: datetime = Field(sa_type=Instant)


class RateCardRow(Base, table=True):
    """A model's rates as a tenant pays them, from a day on; it holds before the published ones, for new calls only.

    `bands` and `batch_bands` are whole picodollars a token, as in `model_calls.rates`. `note` is where they are from.
    """

    __tablename__ = "rate_cards"

    tenant_id: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    from_day: date = Field(sa_type=Date)
    bands: Any = Field(sa_type=JsonText)
    batch_bands: Any = Field(default=None, sa_type=JsonText, nullable=True)
    note: str
    added_by: str
    added_at: datetime = Field(sa_type=Instant)


class WayRow(Base, table=True):
    """One version of how a role's calls are asked; the newest holds.

    `cache` is how long the provider keeps rubric and description for the calls that follow: `none`, `5m` or `1h`.
    Between `batch_from` and `batch_until`, local times of `zone` such as `18:00`, calls go by batch; NULL: never.
    """

    __tablename__ = "call_ways"
    __table_args__ = (
        CheckConstraint("cache IN ('none', '5m', '1h')", name="cache"),
        CheckConstraint("(batch_from IS NULL) = (batch_until IS NULL)", name="batch"),
    )

    tenant_id: str = Field(primary_key=True)
    role_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    cache: str
    batch_from: str | None = None
    batch_until: str | None = None
    zone: str
    set_by: str
    set_at: datetime = Field(sa_type=Instant)


class ModelLifeRow(Base, table=True):
    """What a provider said of one of its models, when it was last asked: how it stands, and when it retires."""

    __tablename__ = "model_lives"

    model: str = Field(primary_key=True)
    lifecycle: str
    retires_at: datetime | None = Field(default=None, sa_type=Instant)
    asked_at: datetime = Field(sa_type=Instant)
