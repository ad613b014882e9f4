"""The ledger of model calls as a table: the newest first, page by page, and all of it as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from core.clock import iso
from core.costs.money import usd
from core.costs.tables import ModelCall
from core.views.export import plain_cell

_calls = ModelCall.__table__  # type: ignore[attr-defined]
PAGE = 50
_COLUMNS = (
    "id", "thread_id", "role_id", "step", "purpose", "model", "answered_by", "status", "why", "stop_reason",
    "request_id", "batch_id", "processing", "tier", "fresh_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens",
    "cache_read_tokens", "output_tokens", "thinking_tokens", "rates_source", "rates_day", "unpriced_why", "sent_bytes",
    "estimated_low_tokens", "estimated_input_tokens", "estimated_high_tokens", "estimate_source",
)  # fmt: skip
_AMOUNTS = ("picodollars", "forecast_picodollars", "estimated_picodollars")
_TIMES = ("opened_at", "closed_at")
HEADS = (*_COLUMNS, "recorded_usd", "forecast_usd", "at_most_usd", *_TIMES)


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One call as the table shows it. Counts are None where they are unknown, `recorded` where nobody can say."""

    thread_id: str
    step: str
    model: str
    status: str
    why: str | None
    processing: str
    read: int | None
    written: int | None
    recorded: int | None
    unpriced_why: str | None
    forecast: int | None
    rates_source: str | None
    opened_at: datetime


def count_calls(conn: Connection, tenant_id: str, role_id: str | None = None) -> int:
    """Answer how many calls are on record."""
    query = select(func.count()).select_from(_calls).where(_calls.c.tenant_id == tenant_id)
    return conn.execute(query if role_id is None else query.where(_calls.c.role_id == role_id)).scalar_one()


def list_ledger(conn: Connection, tenant_id: str, role_id: str | None = None, page: int = 1) -> list[LedgerLine]:
    """Answer one page of the ledger, the newest call first."""
    c = _calls.c
    read = c.fresh_tokens + c.cache_write_5m_tokens + c.cache_write_1h_tokens + c.cache_read_tokens
    query = select(
        c.thread_id, c.step, func.coalesce(c.answered_by, c.model), c.status, c.why, c.processing, read,
        c.output_tokens, c.picodollars, c.unpriced_why, c.forecast_picodollars, c.rates_source, c.opened_at,
    ).where(c.tenant_id == tenant_id)  # fmt: skip
    if role_id is not None:
        query = query.where(c.role_id == role_id)
    rows = conn.execute(query.order_by(c.opened_at.desc(), c.id).limit(PAGE).offset((page - 1) * PAGE))
    return [LedgerLine(*tuple(row)) for row in rows]


def export_calls(conn: Connection, tenant_id: str, role_id: str | None = None) -> bytes:
    """Write the whole ledger as CSV. It holds ids, codes, counts and amounts, and nothing that a stranger wrote."""
    query = select(*(_calls.c[name] for name in (*_COLUMNS, *_AMOUNTS, *_TIMES))).where(_calls.c.tenant_id == tenant_id)
    if role_id is not None:
        query = query.where(_calls.c.role_id == role_id)
    target = io.StringIO(newline="")
    rows = csv.writer(target, quoting=csv.QUOTE_ALL)
    rows.writerow(HEADS)
    for row in conn.execute(query.order_by(_calls.c.opened_at, _calls.c.id)):
        plain, amounts, times = row[: len(_COLUMNS)], row[len(_COLUMNS) : -len(_TIMES)], row[-len(_TIMES) :]
        written = ("" if one is None else usd(one) for one in amounts)
        cells = [*("" if one is None else str(one) for one in plain), *written, *(iso(at) or "" for at in times)]
        rows.writerow([plain_cell(cell) for cell in cells])
    return target.getvalue().encode("utf-8-sig")
