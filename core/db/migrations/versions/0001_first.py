"""The first revision: every table, the ledger's guard and the third seed's views."""

import sqlalchemy as sa
from alembic import op


revision = "0001"
down_revision = None


_GUARD = {
    "sqlite": """
CREATE TRIGGER effects_leave_only_as_approved BEFORE UPDATE OF status ON effects
WHEN NEW.status = 'sending' AND NEW.needs_approval AND NOT EXISTS (
  SELECT 1 FROM approvals a JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id
  WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.approval_id AND a.released_at IS NOT NULL
    AND a.status IN ('approved', 'rejected') AND o.verdict = a.verdict
    AND o.effect_key = NEW.key AND o.payload_hash = NEW.payload_hash)
BEGIN SELECT RAISE(ABORT, 'effect without a released approval for exactly this payload'); END
""",
    "postgresql": """
CREATE FUNCTION effects_leave_only_as_approved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'sending' AND NEW.needs_approval AND NOT EXISTS (
  SELECT 1 FROM approvals a JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id
  WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.approval_id AND a.released_at IS NOT NULL
    AND a.status IN ('approved', 'rejected') AND o.verdict = a.verdict
    AND o.effect_key = NEW.key AND o.payload_hash = NEW.payload_hash) THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = 'effect without a released approval for exactly this payload';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER effects_leave_only_as_approved BEFORE UPDATE OF status ON effects
FOR EACH ROW EXECUTE FUNCTION effects_leave_only_as_approved();
""",
}
_VIEWS = {
    "lab_jobs": """
SELECT id, tenant_id,
  CASE status WHEN 'waiting' THEN 'awaiting_review' WHEN 'parked' THEN 'failed' ELSE status END AS status,
  goal, version, updated_at
FROM threads WHERE status <> 'erased'
""",
    "lab_effects": """
SELECT e.thread_id AS job_id, e.key AS idempotency_key, e.kind AS kind, e.result_ref AS result_ref,
  e.done_at AS completed_at, e.tenant_id AS tenant_id
FROM effects e JOIN threads t ON t.tenant_id = e.tenant_id AND t.id = e.thread_id
WHERE e.status = 'done' AND t.status <> 'erased'
""",
    "lab_approvals": """
SELECT a.thread_id AS job_id, a.about AS subject_id,
  CASE a.status WHEN 'pending' THEN 'pending' WHEN 'approved' THEN 'approved' ELSE 'rejected' END AS status,
  a.decided_by AS reviewer_id, a.version AS version, a.decided_at AS decided_at, a.tenant_id AS tenant_id
FROM approvals a JOIN threads t ON t.tenant_id = a.tenant_id AND t.id = a.thread_id
WHERE t.status <> 'erased' AND NOT EXISTS (
  SELECT 1 FROM approvals b WHERE b.tenant_id = a.tenant_id AND b.thread_id = a.thread_id AND b.about = a.about
    AND (b.asked_at > a.asked_at OR (b.asked_at = a.asked_at AND b.id > a.id)))
""",
    "lab_memories": """
SELECT m.id AS id, m.tenant_id AS tenant_id, m.owner_id AS owner_id, m.source_ref AS source_ref,
  'sealed:' || m.id AS content, m.confidence AS confidence, m.created_at AS created_at,
  m.expires_at AS expires_at, m.deleted_at AS deleted_at
FROM memories m
""",
}


def upgrade() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("link", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "link", "n", name=op.f("pk_audit_entries")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "audit_links",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("link", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "link", name=op.f("pk_audit_links")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "manifests",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("budget_tokens", sa.Integer(), nullable=False),
        sa.Column("items", sa.Text(), nullable=False),
        sa.Column("filtered", sa.Text(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "checkpoint", "n", name=op.f("pk_manifests")),
    )
    op.create_table(
        "memories",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("key_hash", sa.String(), nullable=False),
        sa.Column("source_ref", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("expires_at", sa.String(24), nullable=False),
        sa.Column("deleted_at", sa.String(24), nullable=True),
        sa.CheckConstraint("state IN ('live', 'quarantined', 'superseded')", name=op.f("ck_memories_state")),
        sa.CheckConstraint("confidence BETWEEN 0 AND 1", name=op.f("ck_memories_confidence")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_memories")),
    )
    op.create_index("ix_memories_key", "memories", ["tenant_id", "kind", "key_hash", "created_at"], unique=False)
    op.create_index("ix_memories_thread", "memories", ["tenant_id", "thread_id"], unique=False)

    op.create_table(
        "receipts",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("name", sa.LargeBinary(), nullable=True),
        sa.Column("kept_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_receipts")),
    )
    op.create_index("ix_receipts_thread", "receipts", ["tenant_id", "thread_id"], unique=False)

    op.create_table(
        "sign_in_tries",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("name_hash", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("until_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "name_hash", name=op.f("pk_sign_in_tries")),
    )
    op.create_table(
        "subjects",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_subjects")),
    )
    op.create_table(
        "switches",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_switches")),
    )
    op.create_table(
        "tenants",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("clock_start_at", sa.String(24), nullable=True),
        sa.Column("clock_offset_ms", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.CheckConstraint("clock IN ('real', 'fixture')", name=op.f("ck_tenants_clock")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenants")),
    )
    op.create_table(
        "tombstones",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("erased_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "subject_id", name=op.f("pk_tombstones")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("pulse", sa.Float(), nullable=False),
        sa.Column("started_at", sa.String(24), nullable=False),
        sa.Column("seen_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )
    op.create_table(
        "lookups",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "subject_id"],
            ["subjects.tenant_id", "subjects.id"],
            name=op.f("fk_lookups_tenant_id_subject_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "kind", "scope", "hash", "ordinal", name=op.f("pk_lookups")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_lookups_hash", "lookups", ["tenant_id", "kind", "hash"], unique=False)
    op.create_index("ix_lookups_thread", "lookups", ["tenant_id", "thread_id"], unique=False)

    op.create_table(
        "people",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("email_folded", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("access", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.CheckConstraint("access IN ('owner', 'reviewer', 'viewer')", name=op.f("ck_people_access")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_people_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_people")),
    )
    op.create_index("uq_people_email", "people", ["tenant_id", "email_folded"], unique=True)

    op.create_table(
        "roles",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("applications", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("closed_at", sa.String(24), nullable=True),
        sa.CheckConstraint("status IN ('open', 'closed')", name=op.f("ck_roles_status")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_roles_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_roles")),
    )
    op.create_table(
        "subject_fields",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "subject_id"],
            ["subjects.tenant_id", "subjects.id"],
            name=op.f("fk_subject_fields_tenant_id_subject_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", name=op.f("pk_subject_fields")),
    )
    op.create_index("ix_subject_fields_subject", "subject_fields", ["tenant_id", "subject_id"], unique=False)

    op.create_table(
        "threads",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("workflow", sa.String(), nullable=False),
        sa.Column("workflow_version", sa.Integer(), nullable=False),
        sa.Column("goal", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=True),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("configs", sa.Text(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.Integer(), nullable=False),
        sa.Column("waits_for", sa.String(), nullable=True),
        sa.Column("wait_events", sa.Text(), nullable=True),
        sa.Column("since_at", sa.String(24), nullable=True),
        sa.Column("until_at", sa.String(24), nullable=True),
        sa.Column("then_what", sa.String(), nullable=True),
        sa.Column("wake_at", sa.String(24), nullable=True),
        sa.Column("signals", sa.Integer(), nullable=False),
        sa.Column("lease_no", sa.Integer(), nullable=False),
        sa.Column("lease_holder", sa.String(), nullable=True),
        sa.Column("lease_pulse", sa.Float(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("deaths", sa.Integer(), nullable=False),
        sa.Column("parked_why", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("updated_at", sa.String(24), nullable=False),
        sa.CheckConstraint(
            "status IN ('ready', 'running', 'awaiting_review', 'waiting', 'parked', 'completed', 'rejected', 'failed', 'erased')",
            name=op.f("ck_threads_status"),
        ),
        sa.CheckConstraint(
            "wake_at IS NULL OR wake_at LIKE '____-__-__T__:__:__.___Z'", name=op.f("ck_threads_wake_at")
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "subject_id"],
            ["subjects.tenant_id", "subjects.id"],
            name=op.f("fk_threads_tenant_id_subject_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_threads")),
    )
    op.create_index(
        "ix_threads_due",
        "threads",
        ["tenant_id", "wake_at", "id"],
        unique=False,
        sqlite_where=sa.text("wake_at IS NOT NULL AND lease_holder IS NULL"),
        postgresql_where=sa.text("wake_at IS NOT NULL AND lease_holder IS NULL"),
    )
    op.create_index(
        "ix_threads_held",
        "threads",
        ["lease_holder"],
        unique=False,
        sqlite_where=sa.text("lease_holder IS NOT NULL"),
        postgresql_where=sa.text("lease_holder IS NOT NULL"),
    )
    op.create_index("ix_threads_role", "threads", ["tenant_id", "role_id"], unique=False)
    op.create_index("ix_threads_status", "threads", ["tenant_id", "status", "updated_at"], unique=False)

    op.create_table(
        "approvals",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("question", sa.LargeBinary(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("asked_hash", sa.String(), nullable=False),
        sa.Column("asked_at", sa.String(24), nullable=False),
        sa.Column("due_at", sa.String(24), nullable=False),
        sa.Column("expires_at", sa.String(24), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", sa.String(24), nullable=True),
        sa.Column("remark", sa.LargeBinary(), nullable=True),
        sa.Column("release_at", sa.String(24), nullable=True),
        sa.Column("released_at", sa.String(24), nullable=True),
        sa.Column("consumed_by", sa.Integer(), nullable=True),
        sa.Column("came_back", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(status IN ('approved', 'rejected')) = (decided_by IS NOT NULL)", name=op.f("ck_approvals_who")
        ),
        sa.CheckConstraint(
            "status IN ('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'superseded')",
            name=op.f("ck_approvals_status"),
        ),
        sa.CheckConstraint("released_at IS NULL OR release_at IS NOT NULL", name=op.f("ck_approvals_released")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name=op.f("fk_approvals_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_approvals")),
    )
    op.create_index("ix_approvals_status", "approvals", ["tenant_id", "status", "due_at"], unique=False)
    op.create_index("ix_approvals_thread", "approvals", ["tenant_id", "thread_id"], unique=False)

    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.Integer(), nullable=False),
        sa.Column("lease_no", sa.Integer(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("frame", sa.LargeBinary(), nullable=True),
        sa.Column("worker_id", sa.String(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.CheckConstraint("result IN ('error', 'died')", name=op.f("ck_attempts_result")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name=op.f("fk_attempts_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
    )
    op.create_index("ix_attempts_thread", "attempts", ["tenant_id", "thread_id"], unique=False)

    op.create_table(
        "checkpoint_sections",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name=op.f("fk_checkpoint_sections_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "number", "rule", name=op.f("pk_checkpoint_sections")),
    )
    op.create_table(
        "checkpoints",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("next_step", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.CheckConstraint("cause IN ('open', 'step', 'undo', 'amend')", name=op.f("ck_checkpoints_cause")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name=op.f("fk_checkpoints_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "number", name=op.f("pk_checkpoints")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "configs",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "role_id"], ["roles.tenant_id", "roles.id"], name=op.f("fk_configs_tenant_id_role_id")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "role_id", "kind", "version", name=op.f("pk_configs")),
    )
    op.create_table(
        "effects",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("needs_approval", sa.Boolean(), nullable=False),
        sa.Column("approval_id", sa.String(), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("only_if", sa.Text(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.Column("payload_hash", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.String(), nullable=True),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("planned_at", sa.String(24), nullable=False),
        sa.Column("sending_at", sa.String(24), nullable=True),
        sa.Column("done_at", sa.String(24), nullable=True),
        sa.Column("result_ref", sa.String(), nullable=True),
        sa.Column("settled_by", sa.String(), nullable=True),
        sa.CheckConstraint("(status = 'done') = (result_ref IS NOT NULL)", name=op.f("ck_effects_result")),
        sa.CheckConstraint("kind IN ('mail', 'read', 'tool')", name=op.f("ck_effects_kind")),
        sa.CheckConstraint(
            "status IN ('planned', 'sending', 'done', 'unknown', 'void')", name=op.f("ck_effects_status")
        ),
        sa.CheckConstraint("NOT needs_approval OR approval_id IS NOT NULL", name=op.f("ck_effects_approval")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"], name=op.f("fk_effects_tenant_id_thread_id")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "key", name=op.f("pk_effects")),
    )
    op.create_index("ix_effects_status", "effects", ["tenant_id", "status"], unique=False)
    op.create_index("ix_effects_thread", "effects", ["tenant_id", "thread_id"], unique=False)

    op.create_table(
        "events",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key_hash", sa.String(), nullable=False),
        sa.Column("data_hash", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.String(24), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("consumed_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"], ["threads.tenant_id", "threads.id"], name=op.f("fk_events_tenant_id_thread_id")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "n", name=op.f("pk_events")),
    )
    op.create_index("uq_events_key", "events", ["tenant_id", "thread_id", "name", "key_hash"], unique=True)

    op.create_table(
        "passwords",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "person_id"], ["people.tenant_id", "people.id"], name=op.f("fk_passwords_tenant_id_person_id")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "person_id", name=op.f("pk_passwords")),
    )
    op.create_table(
        "plan_steps",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("summary", sa.LargeBinary(), nullable=True),
        sa.Column("receipts", sa.Text(), nullable=True),
        sa.Column("done_at", sa.String(24), nullable=True),
        sa.CheckConstraint("status IN ('later', 'done', 'skipped', 'stopped')", name=op.f("ck_plan_steps_status")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name=op.f("fk_plan_steps_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "position", name=op.f("pk_plan_steps")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("started_at", sa.String(24), nullable=False),
        sa.Column("seen_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "person_id"], ["people.tenant_id", "people.id"], name=op.f("fk_sessions_tenant_id_person_id")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_person", "sessions", ["tenant_id", "person_id"], unique=False)

    op.create_table(
        "thread_sections",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "thread_id"],
            ["threads.tenant_id", "threads.id"],
            name=op.f("fk_thread_sections_tenant_id_thread_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "thread_id", "rule", name=op.f("pk_thread_sections")),
    )
    op.create_table(
        "approval_options",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("approval_id", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("effect_key", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=True),
        sa.Column("only_if", sa.Text(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.Column("payload_hash", sa.String(), nullable=True),
        sa.CheckConstraint("verdict IN ('approve', 'reject')", name=op.f("ck_approval_options_verdict")),
        sa.CheckConstraint("(effect_key IS NULL) = (payload_hash IS NULL)", name=op.f("ck_approval_options_payload")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "approval_id"],
            ["approvals.tenant_id", "approvals.id"],
            name=op.f("fk_approval_options_tenant_id_approval_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "approval_id", "verdict", "position", name=op.f("pk_approval_options")),
    )
    op.create_table(
        "effect_attempts",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("payload_hash", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("sending_at", sa.String(24), nullable=True),
        sa.Column("ended_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "key"], ["effects.tenant_id", "effects.key"], name=op.f("fk_effect_attempts_tenant_id_key")
        ),
        sa.PrimaryKeyConstraint("tenant_id", "key", "attempt", name=op.f("pk_effect_attempts")),
    )
    op.execute(_GUARD[op.get_bind().dialect.name])
    for name, query in _VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS {query}")
