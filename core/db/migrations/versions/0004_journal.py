"""How far the effect journal was read, and the keys that it knows and the ledger does not."""

import sqlalchemy as sa
from alembic import op


revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "effects_ahead",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("payload_hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "key", name=op.f("pk_effects_ahead")),
    )
    op.create_table(
        "journal_reads",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("byte_count", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_journal_reads")),
    )
