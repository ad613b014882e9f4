"""Model calls: how large they were thought to be, on what grounds, and in which batch. Budgets, rate cards, ways."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    add = op.add_column
    add("model_calls", sa.Column("processing", sa.String(), nullable=False, server_default="standard"))
    for name in ("batch_id", "asked_hash", "estimate_source"):
        add("model_calls", sa.Column(name, sa.String(), nullable=True))
    for name in (
        "sent_bytes", "estimated_low_tokens", "estimated_high_tokens", "estimated_output_tokens", "estimate_calls",
    ):  # fmt: skip
        add("model_calls", sa.Column(name, sa.Integer(), nullable=True))
    add("model_calls", sa.Column("forecast_picodollars", sa.BigInteger(), nullable=True))
    op.create_index("ix_model_calls_opened", "model_calls", ["tenant_id", "opened_at"])
    op.create_index("ix_model_calls_step", "model_calls", ["tenant_id", "step", "model", "opened_at"])
    op.create_table(
        "budgets",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("limit_picodollars", sa.BigInteger(), nullable=True),
        sa.Column("begins_at", sa.String(24), nullable=True),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", sa.String(24), nullable=False),
        sa.CheckConstraint("limit_picodollars IS NULL OR limit_picodollars >= 0", name=op.f("ck_budgets_limit")),
        sa.PrimaryKeyConstraint("tenant_id", "role_id", "version", name=op.f("pk_budgets")),
    )
    op.create_table(
        "rate_cards",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("from_day", sa.Date(), nullable=False),
        sa.Column("bands", sa.Text(), nullable=False),
        sa.Column("batch_bands", sa.Text(), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.Column("added_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "model", "version", name=op.f("pk_rate_cards")),
    )
    op.create_table(
        "call_ways",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("cache", sa.String(), nullable=False),
        sa.Column("batch_from", sa.String(), nullable=True),
        sa.Column("batch_until", sa.String(), nullable=True),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", sa.String(24), nullable=False),
        sa.CheckConstraint("cache IN ('none', '5m', '1h')", name=op.f("ck_call_ways_cache")),
        sa.CheckConstraint("(batch_from IS NULL) = (batch_until IS NULL)", name=op.f("ck_call_ways_batch")),
        sa.PrimaryKeyConstraint("tenant_id", "role_id", "version", name=op.f("pk_call_ways")),
    )
    op.create_table(
        "model_lives",
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("lifecycle", sa.String(), nullable=False),
        sa.Column("retires_at", sa.String(24), nullable=True),
        sa.Column("asked_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("model", name=op.f("pk_model_lives")),
    )
