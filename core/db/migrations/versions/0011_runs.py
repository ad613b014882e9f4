"""Who opened a thread, forks and sandboxes, at which checkpoint an effect was planned; what the list is walked along."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    for name in ("owner_id", "forked_from"):
        op.add_column("threads", sa.Column(name, sa.String(), nullable=True))
    op.add_column("threads", sa.Column("forked_at", sa.Integer(), nullable=True))
    op.add_column("threads", sa.Column("is_sandbox", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("threads", sa.Column("reuses", sa.Text(), nullable=True))
    op.add_column("effects", sa.Column("checkpoint", sa.Integer(), nullable=True))
    # Who opened what is there already stands in the audit log, and nowhere else.
    op.execute(
        "CREATE TABLE opened_by_whom AS SELECT tenant_id, thread_id, MIN(actor) AS actor FROM audit_entries"
        " WHERE act IN ('applied', 'job_opened') AND thread_id IS NOT NULL GROUP BY tenant_id, thread_id"
    )
    op.create_index("ix_opened_by_whom", "opened_by_whom", ["tenant_id", "thread_id"])
    op.execute(
        "UPDATE threads SET owner_id = (SELECT actor FROM opened_by_whom o"
        " WHERE o.tenant_id = threads.tenant_id AND o.thread_id = threads.id)"
    )
    op.drop_index("ix_opened_by_whom", table_name="opened_by_whom")
    op.drop_table("opened_by_whom")
    for name in ("ix_threads_status", "ix_threads_role"):
        op.drop_index(name, table_name="threads")
    op.create_index("ix_threads_list", "threads", ["tenant_id", "status", "since_at", "id"])
    op.create_index("ix_threads_role", "threads", ["tenant_id", "role_id", "id"])
    op.create_index("ix_threads_workflow", "threads", ["tenant_id", "workflow", "id"])
    op.create_index("ix_threads_owner", "threads", ["tenant_id", "owner_id", "id"])
    op.create_index("ix_threads_opened", "threads", ["tenant_id", "created_at", "id"])
    forks = sa.text("forked_from IS NOT NULL")
    op.create_index(
        "ix_threads_forks", "threads", ["tenant_id", "forked_from"], sqlite_where=forks, postgresql_where=forks
    )
