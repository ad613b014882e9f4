"""A person may say that they have seen an event which nothing followed from."""

import sqlalchemy as sa
from alembic import op


revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("events", sa.Column("seen_by", sa.String(), nullable=True))
    op.add_column("events", sa.Column("seen_at", sa.String(24), nullable=True))
