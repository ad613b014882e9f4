"""Model calls: one row for each that left the machine, opened before it went."""

import sqlalchemy as sa
from alembic import op


revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "model_calls",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=True),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.Integer(), nullable=False),
        sa.Column("lease_no", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("stop_reason", sa.String(), nullable=True),
        sa.Column("tier", sa.String(), nullable=True),
        sa.Column("fresh_tokens", sa.Integer(), nullable=True),
        sa.Column("cache_write_5m_tokens", sa.Integer(), nullable=True),
        sa.Column("cache_write_1h_tokens", sa.Integer(), nullable=True),
        sa.Column("cache_read_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("thinking_tokens", sa.Integer(), nullable=True),
        sa.Column("rates", sa.Text(), nullable=True),
        sa.Column("rates_source", sa.String(), nullable=True),
        sa.Column("rates_day", sa.Date(), nullable=True),
        sa.Column("picodollars", sa.BigInteger(), nullable=True),
        sa.Column("unpriced_why", sa.String(), nullable=True),
        sa.Column("estimated_input_tokens", sa.Integer(), nullable=False),
        sa.Column("estimated_picodollars", sa.BigInteger(), nullable=True),
        sa.Column("opened_at", sa.String(24), nullable=False),
        sa.Column("closed_at", sa.String(24), nullable=True),
        sa.CheckConstraint(
            "status IN ('open', 'answered', 'unfit', 'failed', 'unknown')", name=op.f("ck_model_calls_status")
        ),
        sa.CheckConstraint("(status = 'open') = (closed_at IS NULL)", name=op.f("ck_model_calls_closed_at")),
        sa.CheckConstraint(
            "(fresh_tokens IS NOT NULL) = (status IN ('answered', 'unfit'))", name=op.f("ck_model_calls_usage")
        ),
        sa.CheckConstraint(
            "(picodollars IS NULL) = (unpriced_why IS NOT NULL)", name=op.f("ck_model_calls_picodollars")
        ),
        sa.CheckConstraint("picodollars IS NULL OR fresh_tokens IS NOT NULL", name=op.f("ck_model_calls_priced")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_model_calls")),
    )
    op.create_index("uq_model_calls_n", "model_calls", ["tenant_id", "thread_id", "n"], unique=True)
    op.create_index("ix_model_calls_role", "model_calls", ["tenant_id", "role_id"], unique=False)
