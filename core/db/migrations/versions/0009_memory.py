"""Memory carries its origin, trust and lineage; notes, policies, and which record a thread was handed."""

import sqlalchemy as sa
from alembic import op


revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("memories", sa.Column("origin", sa.String(), nullable=False, server_default="workflow"))
    op.add_column("memories", sa.Column("trust", sa.Integer(), nullable=False, server_default="2"))
    op.add_column("memories", sa.Column("drawn_from", sa.Text(), nullable=True))
    op.add_column("memories", sa.Column("latest_at", sa.String(24), nullable=True))
    for name in ("anchor_id", "superseded_by", "deleted_why", "changed_by"):
        op.add_column("memories", sa.Column(name, sa.String(), nullable=True))
    # What is there already goes with its thread's role, and lives no longer than it was going to.
    op.execute(
        "UPDATE memories SET latest_at = expires_at, anchor_id = (SELECT threads.role_id FROM threads"
        " WHERE threads.tenant_id = memories.tenant_id AND threads.id = memories.thread_id)"
    )
    op.create_table(
        "memory_reads",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("memory_id", sa.String(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "memory_id", name="pk_memory_reads"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notes",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("written_at", sa.String(24), nullable=False),
        sa.Column("approved_by", sa.String(), nullable=True),
        sa.Column("approved_at", sa.String(24), nullable=True),
        sa.CheckConstraint("(approved_by IS NULL) = (approved_at IS NULL)", name=op.f("ck_notes_approved")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"], name="fk_notes_tenant_id_thread_id"
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "version", name="pk_notes"),
    )
    op.create_table(
        "policies",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_policies_tenant_id"),
        sa.PrimaryKeyConstraint("tenant_id", "name", "version", name="pk_policies"),
    )
