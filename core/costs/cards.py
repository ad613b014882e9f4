"""Rate cards: what a model costs by the tenant's own card where there is one, else by the published list.

A card is never changed: another one is written beside it, with its author, for calls from a day on. What was recorded
keeps the rates it was opened with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime

from sqlalchemy import Connection, insert, select

from core.costs.money import is_same_model
from core.costs.tables import RateCardRow
from core.db.store import Tx
from core.errors import BadInput
from core.ports import PriceCard, PriceList, Rates
from core.steps import Json

_cards = RateCardRow.__table__  # type: ignore[attr-defined]
_MOST = 10_000_000_000  # $10,000 a million tokens: nobody asks that, and somebody meant dollars a token


@dataclass(frozen=True, slots=True)
class OwnCard:
    """A card as it was written: for which model, from which day on, by whom (a person's id), and on what grounds."""

    model: str
    version: int
    from_day: date
    bands: tuple[Rates, ...]
    batch: tuple[Rates, ...]
    note: str
    added_by: str
    added_at: datetime


def card_of(conn: Connection, prices: PriceList, tenant_id: str, model: str, day: date) -> PriceCard | None:
    """Answer a model's rates on a day as a tenant pays them."""
    own = [one for one in list_cards(conn, tenant_id) if is_same_model(one.model, model) and one.from_day <= day]
    if not own:
        return prices.card(model, day)
    newest = max(own, key=lambda one: (one.from_day, one.version))
    return PriceCard(newest.bands, f"own card {newest.version} of {newest.model}", newest.from_day, newest.batch)


def list_cards(conn: Connection, tenant_id: str) -> list[OwnCard]:
    """Answer every card of a tenant, by model and version."""
    c = _cards.c
    rows = conn.execute(select(_cards).where(c.tenant_id == tenant_id).order_by(c.model, c.version))
    return [
        OwnCard(
            row.model, row.version, row.from_day, _bands(row.bands), _bands(row.batch_bands), row.note, row.added_by,
            row.added_at,
        )
        for row in rows
    ]  # fmt: skip


def check_rates(rates: Rates) -> Rates:
    """Answer rates that can be; raises BadInput."""
    each = (rates.fresh, rates.cache_write_5m, rates.cache_write_1h, rates.cache_read, rates.output)
    if any(not 0 <= one <= _MOST for one in each):
        raise BadInput("A rate is dollars a million tokens, from 0 to 10,000.")
    return rates


def add_card(  # noqa: PLR0913 - one row
    tx: Tx, tenant_id: str, model: str, rates: Rates, batch: Rates | None, *, from_day: date, note: str, by: str,
    now: datetime,
) -> OwnCard:  # fmt: skip
    """Write another card for a model."""
    before = [one.version for one in list_cards(tx.conn, tenant_id) if one.model == model]
    version = max(before, default=0) + 1
    batch_bands = None if batch is None else [asdict(batch)]
    tx.conn.execute(
        insert(_cards).values(
            tenant_id=tenant_id,
            model=model,
            version=version,
            from_day=from_day,
            bands=[asdict(rates)],
            batch_bands=batch_bands,
            note=note,
            added_by=by,
            added_at=now,
        )
    )
    return OwnCard(model, version, from_day, (rates,), _bands(batch_bands), note, by, now)


def _bands(rates: Sequence[Mapping[str, Json]] | None) -> tuple[Rates, ...]:
    return tuple(Rates(**band) for band in rates or ())
