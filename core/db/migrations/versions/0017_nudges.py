"""Nudges, which engine drives the home, and the triggers that write nudges while one outside of the database does."""

import sqlalchemy as sa
from alembic import op


revision = "0017"
down_revision = "0016"


_TRIGGERS = {
    "sqlite": [
        """
CREATE TRIGGER nudge_opened AFTER INSERT ON threads
WHEN (NEW.wake_at IS NOT NULL) AND EXISTS (SELECT 1 FROM engines WHERE is_on)
BEGIN
  INSERT INTO nudges (id, tenant_id, thread_id)
  SELECT lower(hex(randomblob(16))), NEW.tenant_id, NEW.id;
END
""",
        """
CREATE TRIGGER nudge_moved AFTER UPDATE OF signals, wake_at, lease_holder ON threads
WHEN (NEW.signals <> OLD.signals OR (OLD.lease_holder IS NULL AND NEW.lease_holder IS NULL AND NEW.wake_at IS NOT OLD.wake_at) OR (OLD.lease_holder IS NOT NULL AND NEW.lease_holder IS NULL AND NEW.version = OLD.version)) AND EXISTS (SELECT 1 FROM engines WHERE is_on)
BEGIN
  INSERT INTO nudges (id, tenant_id, thread_id)
  SELECT lower(hex(randomblob(16))), NEW.tenant_id, NEW.id;
END
""",
        """
CREATE TRIGGER nudge_clock AFTER UPDATE OF clock_offset_ms ON tenants
WHEN (NEW.clock_offset_ms <> OLD.clock_offset_ms) AND EXISTS (SELECT 1 FROM engines WHERE is_on)
BEGIN
  INSERT INTO nudges (id, tenant_id, thread_id)
  SELECT lower(hex(randomblob(16))), tenant_id, id FROM threads WHERE tenant_id = NEW.id AND wake_at <= strftime('%Y-%m-%dT%H:%M:%fZ', NEW.clock_start_at, '+' || (NEW.clock_offset_ms / 1000 + 1) || ' seconds');
END
""",
    ],
    "postgresql": [
        """
CREATE FUNCTION nudge_opened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM engines WHERE is_on) THEN
    INSERT INTO nudges (id, tenant_id, thread_id)
    SELECT replace(gen_random_uuid()::text, '-', ''), NEW.tenant_id, NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER nudge_opened AFTER INSERT ON threads
FOR EACH ROW WHEN (NEW.wake_at IS NOT NULL) EXECUTE FUNCTION nudge_opened();
""",
        """
CREATE FUNCTION nudge_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM engines WHERE is_on) THEN
    INSERT INTO nudges (id, tenant_id, thread_id)
    SELECT replace(gen_random_uuid()::text, '-', ''), NEW.tenant_id, NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER nudge_moved AFTER UPDATE OF signals, wake_at, lease_holder ON threads
FOR EACH ROW WHEN (NEW.signals <> OLD.signals OR (OLD.lease_holder IS NULL AND NEW.lease_holder IS NULL AND NEW.wake_at IS DISTINCT FROM OLD.wake_at) OR (OLD.lease_holder IS NOT NULL AND NEW.lease_holder IS NULL AND NEW.version = OLD.version)) EXECUTE FUNCTION nudge_moved();
""",
        """
CREATE FUNCTION nudge_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM engines WHERE is_on) THEN
    INSERT INTO nudges (id, tenant_id, thread_id)
    SELECT replace(gen_random_uuid()::text, '-', ''), tenant_id, id FROM threads WHERE tenant_id = NEW.id AND wake_at <= to_char((NEW.clock_start_at::timestamptz + make_interval(secs => NEW.clock_offset_ms / 1000 + 1)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER nudge_clock AFTER UPDATE OF clock_offset_ms ON tenants
FOR EACH ROW WHEN (NEW.clock_offset_ms <> OLD.clock_offset_ms) EXECUTE FUNCTION nudge_clock();
""",
    ],
}


def upgrade() -> None:
    op.create_table(
        "nudges",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_nudges"),
    )
    op.create_table(
        "engines",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("home_id", sa.String(), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_engines"),
    )
    connection = op.get_bind()
    for trigger in _TRIGGERS[connection.dialect.name]:
        connection.exec_driver_sql(trigger)
