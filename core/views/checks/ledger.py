"""The ledger: what left was planned, let out and approved, and the journal beside the database knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from core.effects.ahead import list_ahead
from core.effects.journal import Line
from core.vault.sealing import Keys
from core.views.checks.look import Findings, Look
from core.views.checks.values import read_json

LEFT = ("sending", "done", "unknown")
ACTS = ("effect_planned", "effect_ahead", "effect_done", "effect_settled_by_hand")

_EFFECTS = """
SELECT e.key, e.thread_id, e.status, e.attempt, e.sending_at, e.payload_hash, e.needs_approval, e.result_ref,
  (SELECT COUNT(*) FROM effect_attempts p WHERE p.tenant_id = e.tenant_id AND p.key = e.key) AS earlier,
  EXISTS (SELECT 1 FROM approvals a JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id
    WHERE a.tenant_id = e.tenant_id AND a.id = e.approval_id AND a.status IN ('approved', 'rejected')
      AND a.released_at IS NOT NULL AND o.verdict = a.verdict
      AND o.effect_key = e.key AND o.payload_hash = e.payload_hash) AS is_approved
FROM effects e WHERE e.tenant_id = :tenant ORDER BY e.key
"""
_NOTED = f"SELECT act, detail FROM audit_entries WHERE tenant_id = :tenant AND act IN {ACTS} ORDER BY link, n"


@dataclass
class Noted:
    """What the audit log says: which keys were planned, which the journal knew first, and what each one's result was.

    A result is a keyed hash, or None where an older entry has none.
    """

    planned: set[str] = field(default_factory=set)
    ahead: set[str] = field(default_factory=set)
    results: dict[str, str | None] = field(default_factory=dict)


def check_effects(look: Look, found: Findings) -> None:
    """Expect of every effect that it went through plan, approval, gate and journal; the first that is wrong is said."""
    noted = _read_noted(look)
    keys = look.vault.keys_of(look.tenant_id, list(look.living))
    for row in look.rows(_EFFECTS):
        wrong = _wrong(look, row, noted) or _wrong_with_result(row, keys.get(row.thread_id), noted)
        found.expect(wrong is None, f"effect {row.key}: {wrong}")


def check_journal(look: Look, found: Findings) -> None:
    """Expect the ledger to know of everything that the journal says may have left."""
    erased = frozenset(key for key in look.told if look.is_of_erased(key))
    found.checked += len(look.told)
    for left, entry in list_ahead(look.conn, look.tenant_id, look.told.values(), but=erased):
        where = (
            "not in the ledger" if entry is None else f"the ledger stands at attempt {entry.attempt}, {entry.status}"
        )
        found.report(f"effect {left.key}: attempt {left.attempt} stands in the effect journal, but {where}.")


def _read_noted(look: Look) -> Noted:
    noted = Noted()
    for row in look.rows(_NOTED):
        detail = read_json(row.detail, dict) or {}
        key = str(detail.get("key"))
        match row.act:
            case "effect_planned":
                noted.planned.add(key)
            case "effect_ahead":
                noted.ahead.add(key)
            case _:
                noted.results[key] = detail.get("result")
    return noted


def _wrong_with_result(row: Row[Any], keys: Keys | None, noted: Noted) -> str | None:
    recorded = noted.results.get(row.key)
    if row.status != "done" or keys is None or recorded is None or keys.hash(row.result_ref) == recorded:
        return None
    return "its result is not the one that the audit log recorded."


def _wrong(look: Look, row: Row[Any], noted: Noted) -> str | None:
    if row.earlier != row.attempt - 1:
        return f"stands at attempt {row.attempt}, but {row.earlier} earlier ones are kept."
    if row.status in LEFT:
        return _wrong_with_sent(look, row, noted)
    thread = look.threads.get(row.thread_id)
    if row.status == "planned" and thread is not None and thread.has_ended:
        return "is still planned, but its thread has ended."
    return None


def _wrong_with_sent(look: Look, row: Row[Any], noted: Noted) -> str | None:
    if row.key not in noted.planned:
        return f"is {row.status}, but the audit log has no plan of it."
    if row.sending_at is None:
        # Where the journal knew it first, another database let it out.
        return None if row.key in noted.ahead else f"is {row.status}, but it never passed the gate."
    if row.needs_approval and not row.is_approved:
        return f"is {row.status}, but no released approval names its payload."
    line = Line(look.tenant_id, row.key, row.payload_hash, row.attempt, "sending")
    # What is in sending may have stopped right before its line.
    if row.status == "done" and line not in look.journal:
        return f"is done, but the effect journal has no line of attempt {row.attempt}."
    return None
