"""Where an effect was handed to, and what to look for there."""

import sqlalchemy as sa
from alembic import op


revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("effects", sa.Column("via", sa.String(), nullable=True))
    op.add_column("effects", sa.Column("trace", sa.String(), nullable=True))
