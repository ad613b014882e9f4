"""Model calls: how large they were thought to be and on what grounds, and whether they went into a batch."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0014"


def upgrade() -> None:
    add = op.add_column
    add("model_calls", sa.Column("processing", sa.String(), nullable=False, server_default="standard"))
    for name in ("batch_id", "estimate_source"):
        add("model_calls", sa.Column(name, sa.String(), nullable=True))
    for name in (
        "sent_bytes", "estimated_low_tokens", "estimated_high_tokens", "estimated_output_tokens", "estimate_calls",
    ):  # fmt: skip
        add("model_calls", sa.Column(name, sa.Integer(), nullable=True))
    add("model_calls", sa.Column("forecast_picodollars", sa.BigInteger(), nullable=True))
    op.create_index("ix_model_calls_step", "model_calls", ["tenant_id", "step", "model", "opened_at"])
