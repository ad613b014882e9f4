"""Approvals: a person of the tenant answered, within the hold's rules; what can still leave is what was frozen."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Row

from core.errors import SealedForErased, StateUnreadable
from core.keys import effect_key
from core.review.ask import payload_hash
from core.review.read import PAYLOAD_RULE, option_place
from core.steps import Effect
from core.vault.sealing import Keys
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


_STANDING = """
SELECT a.id, a.thread_id, a.status, o.verdict, o.position, o.effect_key, o.kind, o.payload_hash, {payload} AS payload
FROM approvals a JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id
WHERE a.tenant_id = :tenant AND a.thread_id IN :threads AND a.released_at IS NULL AND o.payload IS NOT NULL
  AND a.status IN ('pending', 'approved', 'rejected')
ORDER BY a.id, o.verdict, o.position
"""


def check_frozen(look: Look, found: Findings) -> None:
    """Expect of every option that can still be released that its hash is that of the payload it froze."""
    payload = "CAST(o.payload AS BLOB)" if look.conn.dialect.name == "sqlite" else "o.payload"
    for batch in look.batches():
        keys = look.vault.keys_of(look.tenant_id, batch)
        for row in look.rows_of(_STANDING.format(payload=payload), batch):
            if row.thread_id in keys:
                found.expect(
                    _is_frozen(row, keys[row.thread_id]),
                    f"approval {row.id} of {row.thread_id}: the hash of its option {row.verdict} "
                    f"({row.effect_key}) is not that of its payload.",
                )


def _is_frozen(row: Row[Any], keys: Keys) -> bool:
    place = option_place(row.id, row.verdict, row.position)
    try:
        payload = msgspec.json.decode(keys.open(PAYLOAD_RULE, "approval_options", place, row.payload))
    except (StateUnreadable, SealedForErased):
        return True  # which is said of its seal
    name = str(row.effect_key).removeprefix(effect_key(keys.thread_id, ""))
    return bool(payload_hash(keys, Effect(name, row.kind, payload)) == row.payload_hash)
