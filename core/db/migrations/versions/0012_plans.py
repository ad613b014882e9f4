"""Plans that grow: who wrote what lies ahead, when and why."""

import sqlalchemy as sa
from alembic import op


revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("plan_steps", sa.Column("planned", sa.LargeBinary(), nullable=True))
    op.add_column("plan_steps", sa.Column("revision", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.create_index("ix_plan_steps_step", "plan_steps", ["tenant_id", "thread_id", "step"])
    op.create_table(
        "plan_revisions",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.LargeBinary(), nullable=False),
        sa.Column("added_count", sa.Integer(), nullable=False),
        sa.Column("dropped_count", sa.Integer(), nullable=False),
        sa.Column("numbered_to", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name="fk_plan_revisions_tenant_id_thread_id",
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "n", name="pk_plan_revisions"),
        sqlite_with_rowid=False,
    )
