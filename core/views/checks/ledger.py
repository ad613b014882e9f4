"""The ledger: what left was planned, let out and approved, and the journal beside the database knows of it."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Row

from core.effects.journal import Line
from core.views.checks.look import Findings, Look

LEFT = ("sending", "done", "unknown")

_EFFECTS = """
SELECT e.key, e.thread_id, e.status, e.attempt, e.sending_at, e.payload_hash, e.needs_approval,
  (SELECT COUNT(*) FROM effect_attempts p WHERE p.tenant_id = e.tenant_id AND p.key = e.key) AS earlier,
  EXISTS (SELECT 1 FROM approvals a JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id
    WHERE a.tenant_id = e.tenant_id AND a.id = e.approval_id AND a.status IN ('approved', 'rejected')
      AND a.released_at IS NOT NULL AND o.verdict = a.verdict
      AND o.effect_key = e.key AND o.payload_hash = e.payload_hash) AS is_approved
FROM effects e WHERE e.tenant_id = :tenant ORDER BY e.key
"""
_PLANNED = "SELECT detail FROM audit_entries WHERE tenant_id = :tenant AND act = 'effect_planned'"


def check_effects(look: Look, found: Findings) -> None:
    """Expect of every effect that it went through plan, approval, gate and journal; the first that is wrong is said."""
    planned = {json.loads(row.detail)["key"] for row in look.rows(_PLANNED)}
    for row in look.rows(_EFFECTS):
        wrong = _wrong(look, row, planned)
        found.expect(wrong is None, f"effect {row.key}: {wrong}")


def _wrong(look: Look, row: Row[Any], planned: set[str]) -> str | None:
    if row.earlier != row.attempt - 1:
        return f"stands at attempt {row.attempt}, but {row.earlier} earlier ones are kept."
    if row.status in LEFT:
        return _wrong_with_sent(look, row, planned)
    thread = look.threads.get(row.thread_id)
    if row.status == "planned" and thread is not None and thread.has_ended:
        return "is still planned, but its thread has ended."
    return None


def _wrong_with_sent(look: Look, row: Row[Any], planned: set[str]) -> str | None:
    if row.key not in planned:
        return f"is {row.status}, but the audit log has no plan of it."
    if row.sending_at is None:
        return f"is {row.status}, but it never passed the gate."
    if row.needs_approval and not row.is_approved:
        return f"is {row.status}, but no released approval names its payload."
    line = Line(look.tenant_id, row.key, row.payload_hash, row.attempt, "sending")
    # What is in sending may have stopped right before its line.
    if row.status == "done" and line not in look.journal:
        return f"is done, but the effect journal has no line of attempt {row.attempt}."
    return None
