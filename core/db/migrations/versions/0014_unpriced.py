"""Which calls have no price, found without walking all of them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    unpriced = sa.text("unpriced_why IS NOT NULL")
    op.create_index(
        "ix_model_calls_unpriced", "model_calls", ["tenant_id", "unpriced_why"],
        sqlite_where=unpriced, postgresql_where=unpriced,
    )  # fmt: skip
