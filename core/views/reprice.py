"""What the recorded calls would cost at the rates of another day. It writes nothing: what was paid stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Row, select

from core.costs.cards import card_of
from core.costs.money import price
from core.costs.tables import ModelCall
from core.ports import PriceCard, PriceList, Usage

_calls = ModelCall.__table__  # type: ignore[attr-defined]
_COUNTS = (
    _calls.c.fresh_tokens, _calls.c.output_tokens, _calls.c.cache_write_5m_tokens, _calls.c.cache_write_1h_tokens,
    _calls.c.cache_read_tokens,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Repriced:
    """One model's calls whose counts are known. Amounts are picodollars.

    `recorded` and `repriced` cover the same `calls`: those that have a price both ways. `unpriced_calls` have none at
    the other day's rates, `first_priced` is what calls come to that had no price when they were made.
    """

    model: str
    source: str | None
    calls: int = 0
    recorded: int = 0
    repriced: int = 0
    unpriced_calls: int = 0
    first_priced_calls: int = 0
    first_priced: int = 0


def reprice(
    conn: Connection, prices: PriceList, tenant_id: str, day: date, role_id: str | None = None
) -> list[Repriced]:
    """Price every call whose counts are known anew, model by model."""
    query = (
        select(_calls.c.model, *_COUNTS, _calls.c.tier, _calls.c.processing, _calls.c.picodollars)
        .where(_calls.c.tenant_id == tenant_id, _calls.c.fresh_tokens.is_not(None))
        .order_by(_calls.c.model)
    )
    if role_id is not None:
        query = query.where(_calls.c.role_id == role_id)
    by_model: dict[str, list[Row[Any]]] = {}
    rows: Iterable[Row[Any]] = conn.execute(query)
    for row in rows:
        by_model.setdefault(row.model, []).append(row)
    return [_added_up(model, rows, card_of(conn, prices, tenant_id, model, day)) for model, rows in by_model.items()]


def _added_up(model: str, rows: Sequence[Row[Any]], card: PriceCard | None) -> Repriced:
    calls = recorded = repriced = unpriced = first = first_amount = 0
    for row in rows:
        due = _price(row, card)
        if due is None:
            unpriced += 1
        elif row.picodollars is None:
            first, first_amount = first + 1, first_amount + due
        else:
            calls, recorded, repriced = calls + 1, recorded + row.picodollars, repriced + due
    source = None if card is None else card.source
    return Repriced(model, source, calls, recorded, repriced, unpriced, first, first_amount)


def _price(row: Row[Any], card: PriceCard | None) -> int | None:
    if card is None:
        return None
    fresh, output, written, written_hour, read = (int(getattr(row, one.name) or 0) for one in _COUNTS)
    usage = Usage(fresh, output, written, written_hour, read, tier=row.tier)
    due = price(usage, card.of(row.processing), row.processing)
    return due if isinstance(due, int) else None
