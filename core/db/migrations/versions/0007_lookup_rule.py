"""A look-up of an address says by which version of the rule the address was made comparable."""

import sqlalchemy as sa
from alembic import op


revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("lookups", sa.Column("rule", sa.Integer(), nullable=True))
    op.execute("UPDATE lookups SET rule = 1 WHERE kind IN ('applicant', 'address')")
