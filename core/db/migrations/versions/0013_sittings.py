"""Sittings, their verdicts and what was put aside; who edited a letter."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("approval_options", sa.Column("edited_by", sa.String(), nullable=True))
    op.add_column("approval_options", sa.Column("edited_at", sa.String(24), nullable=True))
    op.create_index("ix_approvals_decided", "approvals", ["tenant_id", "decided_at"])
    op.create_table(
        "sittings",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("opened_at", sa.String(24), nullable=False),
        sa.Column("seen_at", sa.String(24), nullable=False),
        sa.Column("ended_at", sa.String(24), nullable=True),
        sa.Column("ended_why", sa.String(), nullable=True),
        sa.CheckConstraint("(ended_at IS NULL) = (ended_why IS NULL)", name=op.f("ck_sittings_ended")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "person_id"], ["people.tenant_id", "people.id"], name=op.f("fk_sittings_tenant_id_person_id")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_sittings")),
    )
    op.create_index("ix_sittings_person", "sittings", ["tenant_id", "person_id", "opened_at"])
    is_open = sa.text("ended_at IS NULL")
    op.create_index(
        "uq_sittings_open", "sittings", ["tenant_id", "person_id"], unique=True, sqlite_where=is_open,
        postgresql_where=is_open,
    )  # fmt: skip
    op.create_table(
        "sitting_verdicts",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("sitting_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("approval_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.Column("took_ms", sa.Integer(), nullable=True),
        sa.Column("is_against", sa.Boolean(), nullable=False),
        sa.Column("is_edited", sa.Boolean(), nullable=False),
        sa.Column("look_why", sa.String(), nullable=True),
        sa.Column("look_verdict", sa.String(), nullable=True),
        sa.Column("looked_at", sa.String(24), nullable=True),
        sa.Column("leaves_at", sa.String(24), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id", "sitting_id"], ["sittings.tenant_id", "sittings.id"],
            name=op.f("fk_sitting_verdicts_tenant_id_sitting_id"),
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "approval_id"], ["approvals.tenant_id", "approvals.id"],
            name=op.f("fk_sitting_verdicts_tenant_id_approval_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "sitting_id", "n", name=op.f("pk_sitting_verdicts")),
    )
    op.create_index("ix_sitting_verdicts_person", "sitting_verdicts", ["tenant_id", "person_id", "at"])
    op.create_index("ix_sitting_verdicts_approval", "sitting_verdicts", ["tenant_id", "approval_id"])
    op.create_table(
        "snoozes",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("approval_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("snoozed_at", sa.String(24), nullable=False),
        sa.Column("until_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "approval_id"], ["approvals.tenant_id", "approvals.id"],
            name=op.f("fk_snoozes_tenant_id_approval_id"),
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "person_id"], ["people.tenant_id", "people.id"], name=op.f("fk_snoozes_tenant_id_person_id")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "approval_id", "person_id", name=op.f("pk_snoozes")),
    )
