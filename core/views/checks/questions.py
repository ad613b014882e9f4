"""Approvals: a person of the tenant answered, within the hold's rules; nothing asks in a thread that ended."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from core.views.checks.look import Findings, Look, ThreadLine

_STATUS = {"approve": "approved", "reject": "rejected"}

_APPROVALS = """
SELECT a.id, a.thread_id, a.status, a.verdict, a.decided_by, a.decided_at, a.release_at, a.released_at, a.consumed_by,
  EXISTS (SELECT 1 FROM people p WHERE p.tenant_id = a.tenant_id AND p.id = a.decided_by) AS by_person,
  EXISTS (SELECT 1 FROM approval_options o WHERE o.tenant_id = a.tenant_id AND o.approval_id = a.id
    AND (a.verdict IS NULL OR o.verdict = a.verdict)) AS has_option
FROM approvals a WHERE a.tenant_id = :tenant ORDER BY a.id
"""


def check_approvals(look: Look, found: Findings) -> None:
    """Expect of every approval that it was asked and answered as it must be; the first that is wrong is said."""
    for row in look.rows(_APPROVALS):
        thread = look.living.get(row.thread_id)
        if thread is not None:
            wrong = _wrong(row, thread)
            found.expect(wrong is None, f"approval {row.id} of {row.thread_id}: {wrong}")


def _wrong(row: Row[Any], thread: ThreadLine) -> str | None:
    if not row.has_option:
        return f"has no option for {row.verdict or 'any answer'}."
    if row.consumed_by is not None and row.consumed_by > thread.checkpoint:
        return f"was taken up by checkpoint {row.consumed_by}, which there is not."
    return _wrong_with_answer(row) if row.status in _STATUS.values() else _wrong_without_answer(row, thread)


def _wrong_without_answer(row: Row[Any], thread: ThreadLine) -> str | None:
    if row.decided_by is not None or row.verdict is not None or row.released_at is not None:
        return f"is {row.status}, but carries an answer."
    if row.status == "pending" and thread.has_ended:
        return "still asks, but its thread has ended."
    return None


def _wrong_with_answer(row: Row[Any]) -> str | None:
    if not row.by_person:
        return f"is {row.status}, but no person of this tenant decided it."
    if row.decided_at is None or _STATUS.get(row.verdict) != row.status:
        return f"is {row.status}, but its answer is {row.verdict or 'missing'}."
    if row.released_at is not None and row.released_at < row.release_at:
        return "was released before its hold ended."
    return None
