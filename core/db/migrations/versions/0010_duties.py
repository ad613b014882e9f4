"""What a tenant does at a local time, and each run of it."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "duties",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at_time", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=True),
        sa.Column("next_day", sa.String(), nullable=True),
        sa.Column("next_at", sa.String(24), nullable=True),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_duties_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "name", name=op.f("pk_duties")),
    )
    op.create_index("ix_duties_due", "duties", ["tenant_id", "next_at"])
    op.create_table(
        "duty_runs",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("due_at", sa.String(24), nullable=False),
        sa.Column("moved", sa.String(), nullable=True),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.String(24), nullable=False),
        sa.Column("retry_at", sa.String(24), nullable=True),
        sa.Column("ended_at", sa.String(24), nullable=True),
        sa.Column("failed", sa.String(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id", "name"], ["duties.tenant_id", "duties.name"], name=op.f("fk_duty_runs_tenant_id_name")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "name", "day", name=op.f("pk_duty_runs")),
    )
    unended = sa.text("ended_at IS NULL")
    op.create_index(
        "ix_duty_runs_open", "duty_runs", ["tenant_id"], sqlite_where=unended, postgresql_where=unended
    )
