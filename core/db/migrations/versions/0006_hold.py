"""A tenant's own hold."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tenants", sa.Column("hold_seconds", sa.Integer(), nullable=True))
