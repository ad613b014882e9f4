"""Every column of every table on the data map, room by room.

A table's rows about a subject are `SUBJECT` as a whole: its ids and times go with them. What says something about
them is sealed or a keyed hash; the rest is ids, codes, numbers and times.
"""

from __future__ import annotations

from core.retention.entry import Eraser, Group, Life, Whose
from core.steps import Kind, Rule

_CLOSE = Rule.CLOSE_6_MONTHS

MIGRATIONS = (
    Group("alembic_version", Kind.DURABLE, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR, codes="version_num"),
)

PEOPLE = (
    Group(
        "tenants", Kind.DURABLE, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="id", codes="clock", numbers="clock_offset_ms hold_seconds", times="clock_start_at created_at",
        texts="name", why="The name that its own people gave the tenant; shown on every page.",
    ),
    Group(
        "people", Kind.DURABLE, Whose.PERSON, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id id", codes="access", numbers="active", times="created_at",
        texts="email email_folded name",
        why="Who may act: looked up at every sign-in and named wherever somebody answered for something.",
    ),
    Group(
        "passwords", Kind.DURABLE, Whose.PERSON, Life.WITH_TENANT, Eraser.OPERATOR,
        digests="hash", ids="tenant_id person_id", times="changed_at",
    ),
    Group(
        "sessions", Kind.WORKING, Whose.PERSON, Life.BY_ROW, Eraser.SIGN_IN,
        digests="token_hash", ids="tenant_id person_id", times="started_at seen_at",
    ),
    Group(
        "sign_in_tries", Kind.WORKING, Whose.PERSON, Life.BY_ROW, Eraser.SIGN_IN,
        hashed="name_hash", ids="tenant_id", numbers="failures", times="until_at",
    ),
    Group(
        "sign_in_codes", Kind.WORKING, Whose.PERSON, Life.BY_ROW, Eraser.SIGN_IN,
        hashed="code_hash", ids="tenant_id person_id", times="made_at",
    ),
    Group(
        "teams", Kind.DURABLE, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id foreign_memory_id", numbers="number", times="opened_at paused_at",
    ),
    Group(
        "team_ticks", Kind.WORKING, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id", codes="tick detail", times="at",
    ),
    Group(
        "api_keys", Kind.DURABLE, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        digests="secret_digest", ids="tenant_id id created_by revoked_by", codes="name verbs",
        times="created_at revoked_at",
    ),
    Group(
        "api_requests", Kind.WORKING, Whose.SUBJECT, Life.BY_ROW, Eraser.NEXT_REQUEST,
        hashed="key_hash body_hash", ids="tenant_id api_key_id thread_id", codes="answer", times="answered_at",
    ),
)  # fmt: skip

VAULT = (
    Group(
        "subjects", Kind.DURABLE, Whose.SUBJECT, Life.WITH_SUBJECT, Eraser.SWEEP, ids="tenant_id id", times="created_at"
    ),
    Group(
        "subject_fields", Kind.INPUT, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="sealed", ids="tenant_id thread_id subject_id", numbers="version",
    ),
    Group(
        "lookups", Kind.RECALL, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        hashed="hash", ids="tenant_id scope subject_id thread_id", codes="kind", numbers="ordinal rule",
    ),
    Group(
        "tombstones", Kind.LEDGER, Whose.NOBODY, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id subject_id", times="erased_at",
    ),
)  # fmt: skip

AUDIT = (
    Group(
        "audit_links", Kind.LEDGER, Whose.NOBODY, Life.WITH_TENANT, Eraser.OPERATOR,
        digests="digest", ids="tenant_id", numbers="link count", times="at",
    ),
    Group(
        "audit_entries", Kind.LEDGER, Whose.NOBODY, Life.WITH_TENANT, Eraser.OPERATOR,
        digests="salt", ids="tenant_id actor thread_id", codes="act detail", numbers="link n",
    ),
)  # fmt: skip

CATALOG = (
    Group(
        "roles", Kind.INPUT, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id id", codes="status", numbers="applications", times="created_at closed_at",
        texts="title", why="A published job title.",
    ),
    Group(
        "configs", Kind.INPUT, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id role_id created_by", codes="kind", numbers="version", times="created_at",
        texts="content", why="A rubric, a description or a letter's template: what the tenant wrote, about nobody.",
    ),
    Group(
        "policies", Kind.INPUT, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id created_by", codes="name", numbers="version", times="created_at",
        texts="content", why="Limits and settings of a workflow, about nobody.",
    ),
)  # fmt: skip

DUTIES = (
    Group(
        "duties", Kind.INPUT, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id set_by", codes="name at_time zone next_day", numbers="weekday", times="next_at set_at",
    ),
    Group(
        "duty_runs", Kind.LEDGER, Whose.NOBODY, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id worker_id", codes="name day moved failed result", numbers="missed tries",
        times="due_at started_at retry_at ended_at",
    ),
)  # fmt: skip

THREADS = (
    Group(
        "threads", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        ids="tenant_id id role_id subject_id owner_id forked_from lease_holder",
        codes="workflow configs status outcome step waits_for wait_events then_what parked_why reuses",
        numbers="workflow_version checkpoint signals lease_no lease_pulse tries deaths version forked_at is_sandbox",
        times="since_at until_at wake_at created_at updated_at",
        texts="goal", why="Written by the workflow from the thread's id; it names nobody.",
    ),
    Group(
        "checkpoints", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        ids="tenant_id thread_id", codes="step next_step cause", numbers="number", times="at",
    ),
    Group(
        "checkpoint_sections", Kind.DURABLE, Whose.SUBJECT, Life.BY_ROW, Eraser.SWEEP,
        sealed="sealed", ids="tenant_id thread_id", codes="rule", numbers="number",
    ),
    Group(
        "thread_sections", Kind.DURABLE, Whose.SUBJECT, Life.BY_ROW, Eraser.SWEEP,
        sealed="sealed", ids="tenant_id thread_id", codes="rule", numbers="number",
    ),
    Group(
        "plan_steps", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="summary planned", ids="tenant_id thread_id receipts", codes="step status", numbers="position revision",
        times="done_at", texts="title", why="The workflow's own title of the step.",
    ),
    Group(
        "plan_revisions", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="reason", ids="tenant_id thread_id", codes="step by", numbers="n added_count dropped_count numbered_to",
        times="at",
    ),
    Group(
        "attempts", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="frame", ids="id tenant_id thread_id worker_id", codes="step result code",
        numbers="checkpoint lease_no", times="at",
    ),
    Group(
        "events", Kind.INPUT, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="sealed", hashed="key_hash data_hash", ids="tenant_id thread_id seen_by", codes="name",
        numbers="n late consumed_by", times="received_at seen_at",
    ),
    Group(
        "answer_links", Kind.DURABLE, Whose.SUBJECT, Rule.ROLE_CLOSE, Eraser.SWEEP,
        hashed="token_hash", ids="tenant_id thread_id role_id", codes="letter", times="slot_at made_at",
    ),
    Group(
        "notes", Kind.INPUT, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="sealed", ids="tenant_id thread_id author_id approved_by", numbers="version",
        times="written_at approved_at",
    ),
    Group(
        "workers", Kind.WORKING, Whose.NOBODY, Life.WHILE_RUNNING, Eraser.WORKER,
        ids="id host", codes="kind", numbers="pid pulse", times="started_at seen_at",
    ),
)  # fmt: skip

RECEIPTS = (
    Group(
        "receipts", Kind.INPUT, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="name", hashed="hash", ids="tenant_id id thread_id subject_id", codes="rule media_type",
        numbers="size", times="kept_at",
    ),
)  # fmt: skip

MEMORY = (
    Group(
        "memories", Kind.RECALL, Whose.SUBJECT, Life.BY_ROW, Eraser.MEMORY,
        sealed="sealed", hashed="key_hash",
        ids="tenant_id id owner_id source_ref thread_id subject_id drawn_from anchor_id superseded_by changed_by",
        codes="kind rule state origin deleted_why", numbers="confidence version trust",
        times="created_at expires_at latest_at deleted_at",
    ),
    Group(
        "memory_reads", Kind.RECALL, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        ids="tenant_id thread_id memory_id", times="at",
    ),
)  # fmt: skip

REVIEW = (
    Group(
        "approvals", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        sealed="question remark", hashed="asked_hash", ids="tenant_id id thread_id decided_by",
        codes="step kind about status basis verdict came_back", numbers="version consumed_by",
        times="asked_at due_at expires_at decided_at release_at released_at",
    ),
    Group(
        "approval_options", Kind.DURABLE, Whose.SUBJECT, Rule.ROLE_CLOSE, Eraser.SWEEP,
        sealed="payload", hashed="payload_hash", ids="tenant_id approval_id effect_key edited_by",
        codes="verdict kind only_if", numbers="position", times="edited_at",
    ),
    Group(
        "sittings", Kind.DURABLE, Whose.PERSON, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id id person_id", codes="ended_why", times="opened_at seen_at ended_at",
    ),
    Group(
        "sitting_verdicts", Kind.DURABLE, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        ids="tenant_id sitting_id person_id approval_id thread_id", codes="verdict look_why look_verdict",
        numbers="n version took_ms is_against is_edited", times="at looked_at leaves_at",
    ),
    Group(
        "snoozes", Kind.WORKING, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        ids="tenant_id approval_id person_id thread_id", times="snoozed_at until_at",
    ),
)  # fmt: skip

EFFECTS = (
    Group(
        "effects", Kind.LEDGER, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        hashed="payload_hash", ids="tenant_id key thread_id approval_id worker_id result_ref settled_by trace",
        codes="kind verdict only_if status why via", numbers="needs_approval attempt checkpoint",
        times="planned_at sending_at done_at",
    ),
    Group("effects", Kind.LEDGER, Whose.SUBJECT, Rule.ROLE_CLOSE, Eraser.SWEEP, sealed="payload"),
    Group(
        "effect_attempts", Kind.LEDGER, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        hashed="payload_hash", ids="tenant_id key", codes="status why", numbers="attempt",
        times="sending_at ended_at",
    ),
    Group(
        "effects_ahead", Kind.LEDGER, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        hashed="payload_hash", ids="tenant_id key", numbers="attempt",
    ),
    Group(
        "journal_reads", Kind.DURABLE, Whose.NOBODY, Life.WITH_TENANT, Eraser.OPERATOR,
        digests="ending", ids="tenant_id", numbers="byte_count",
    ),
    Group(
        "switches", Kind.DURABLE, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR,
        ids="changed_by", codes="name", numbers="is_on", times="changed_at",
    ),
)  # fmt: skip

COSTS = (
    # What was paid stays a fact when the person it was paid for is erased: ids, codes and numbers, like the audit log.
    Group(
        "model_calls", Kind.LEDGER, Whose.NOBODY, Life.WITH_TENANT, Eraser.OPERATOR,
        hashed="asked_hash", ids="tenant_id id thread_id role_id request_id batch_id",
        codes="step purpose model answered_by status why stop_reason tier rates rates_source unpriced_why processing"
        " estimate_source",
        numbers="n checkpoint lease_no fresh_tokens cache_write_5m_tokens cache_write_1h_tokens cache_read_tokens"
        " output_tokens thinking_tokens picodollars estimated_input_tokens estimated_picodollars sent_bytes"
        " estimated_low_tokens estimated_high_tokens estimated_output_tokens estimate_calls forecast_picodollars",
        times="rates_day opened_at closed_at",
    ),
    Group(
        "budgets", Kind.LEDGER, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id role_id set_by", numbers="version limit_picodollars", times="begins_at set_at",
    ),
    Group(
        "model_lives", Kind.DURABLE, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR,
        codes="model lifecycle", times="retires_at asked_at",
    ),
    Group(
        "call_ways", Kind.LEDGER, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id role_id set_by", codes="cache batch_from batch_until zone", numbers="version", times="set_at",
    ),
    Group(
        "rate_cards", Kind.LEDGER, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="tenant_id added_by", codes="model bands batch_bands", numbers="version", times="from_day added_at",
        texts="note", why="Where a tenant has its rates from: its own words about its contract, shown beside them.",
    ),
)  # fmt: skip

CONTEXT = (
    Group(
        "manifests", Kind.LEDGER, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        hashed="items", ids="tenant_id thread_id", codes="step purpose model filtered",
        numbers="checkpoint n budget_tokens", times="at",
    ),
)  # fmt: skip

NUDGES = (
    Group(
        "nudges", Kind.WORKING, Whose.SUBJECT, Life.WHILE_RUNNING, Eraser.RELAY, ids="id tenant_id thread_id",
    ),
    Group(
        "engines", Kind.DURABLE, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR,
        ids="home_id", codes="name", numbers="is_on", times="changed_at",
    ),
)  # fmt: skip

COLUMNS = (
    *MIGRATIONS, *PEOPLE, *VAULT, *AUDIT, *CATALOG, *THREADS, *RECEIPTS, *MEMORY, *REVIEW, *EFFECTS, *COSTS, *CONTEXT,
    *DUTIES, *NUDGES,
)  # fmt: skip
