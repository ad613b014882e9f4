"""Pages on which letters are answered; API keys; requests that were answered already."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "answer_links",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=True),
        sa.Column("slot_at", sa.String(24), nullable=True),
        sa.Column("made_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"],
            name=op.f("fk_answer_links_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", name=op.f("pk_answer_links")),
    )
    op.create_index("uq_answer_links_token", "answer_links", ["token_hash"], unique=True)
    op.create_index("uq_answer_links_slot", "answer_links", ["tenant_id", "role_id", "slot_at"], unique=True)
    op.create_table(
        "api_keys",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("secret_digest", sa.String(), nullable=False),
        sa.Column("verbs", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("revoked_by", sa.String(), nullable=True),
        sa.Column("revoked_at", sa.String(24), nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_api_keys_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_api_keys")),
    )
    op.create_index("uq_api_keys_id", "api_keys", ["id"], unique=True)
    op.create_table(
        "api_requests",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("api_key_id", sa.String(), nullable=False),
        sa.Column("key_hash", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("answered_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "api_key_id", "key_hash", name=op.f("pk_api_requests")),
    )
    op.create_index("ix_api_requests_thread", "api_requests", ["tenant_id", "thread_id"])
    op.create_index("ix_api_requests_answered_at", "api_requests", ["answered_at"])
