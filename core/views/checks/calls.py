"""Model calls: each was written into the audit log when it left, and costs what its counts come to at its own rates."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Row

from core.costs.calls import bands_of
from core.costs.money import price
from core.ports import Usage
from core.views.checks.look import Findings, Look

_CALLS = """
SELECT id, thread_id, n, rates, tier, processing, picodollars, fresh_tokens, output_tokens, cache_write_5m_tokens,
  cache_write_1h_tokens, cache_read_tokens
FROM model_calls WHERE tenant_id = :tenant ORDER BY thread_id, n
"""
_ASKED = "SELECT detail FROM audit_entries WHERE tenant_id = :tenant AND act = 'model_asked'"


def check_calls(look: Look, found: Findings) -> None:
    """Expect of every model call that it is in the audit log and that its amount is what its row says it must be."""
    asked = {json.loads(row.detail)["call"] for row in look.rows(_ASKED)}
    for row in look.rows(_CALLS):
        wrong = _wrong(row) if row.id in asked else "is not in the audit log."
        found.expect(wrong is None, f"model call {row.id} of {row.thread_id}: {wrong}")


def _wrong(row: Row[Any]) -> str | None:
    if row.picodollars is None:
        return None
    if row.rates is None or row.fresh_tokens is None:
        return "has an amount without counts or without rates."
    usage = Usage(
        row.fresh_tokens,
        row.output_tokens or 0,
        row.cache_write_5m_tokens or 0,
        row.cache_write_1h_tokens or 0,
        row.cache_read_tokens or 0,
        tier=row.tier or "",
    )
    due = price(usage, bands_of(json.loads(row.rates)), row.processing)
    return None if due == row.picodollars else f"costs {row.picodollars} picodollars, but its counts come to {due}."
