"""The rates that a tenant's calls are priced by: published ones for the models it uses, and every card of its own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, select

from core.costs.cards import OwnCard, card_of, list_cards
from core.costs.lives import Asked, list_asked
from core.costs.money import is_same_model
from core.costs.tables import ModelCall
from core.ports import PriceCard, PriceList, Rates

_calls = ModelCall.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Card:
    """One card: a tenant's own, or the published one; `holds` says that calls of today are priced by it."""

    model: str
    own: OwnCard | None
    listed: PriceCard | None
    holds: bool

    @property
    def bands(self) -> tuple[Rates, ...]:
        """Its rates, lowest first; none where no list knows the model."""
        return self.own.bands if self.own is not None else self.listed.bands if self.listed is not None else ()

    @property
    def source(self) -> str:
        """Where its rates are from."""
        return self.own.note if self.own is not None else "" if self.listed is None else self.listed.source

    @property
    def from_day(self) -> str:
        """From which day on they hold, or for which they were read."""
        day = self.own.from_day if self.own is not None else None if self.listed is None else self.listed.day
        return "" if day is None else day.isoformat()


def list_rates(conn: Connection, prices: PriceList, tenant_id: str, model: str, day: date) -> list[Card]:
    """Answer the cards of every model that is set, was called or has a card of the tenant's own.

    The practice model is in no list and costs nothing.
    """
    own = list_cards(conn, tenant_id)
    called = conn.execute(select(_calls.c.model).where(_calls.c.tenant_id == tenant_id).distinct()).scalars()
    models = sorted({*called, *(one.model for one in own), *([model] if model.startswith("claude-") else [])})
    found: list[Card] = []
    for name in models:
        holding = card_of(conn, prices, tenant_id, name, day)
        mine = [one for one in own if is_same_model(one.model, name)]
        source = None if holding is None else holding.source
        is_own = [source == f"own card {one.version} of {one.model}" for one in mine]
        found += [Card(name, one, None, holds) for one, holds in zip(mine, is_own, strict=True) if one.model == name]
        found.append(Card(name, None, prices.card(name, day), holds=not any(is_own)))
    return found


@dataclass(frozen=True, slots=True)
class Retiring:
    """A model that retires or is about to, and the roles that called it; `is_set` says that it is asked now."""

    asked: Asked
    roles: tuple[str, ...]
    is_set: bool


def list_retiring(conn: Connection, tenant_id: str, model: str) -> list[Retiring]:
    """Answer the models that retire or are not active any more and that this tenant called or is to call."""
    rows = conn.execute(
        select(_calls.c.model, _calls.c.role_id)
        .where(_calls.c.tenant_id == tenant_id)
        .distinct()
        .order_by(_calls.c.role_id)
    ).all()
    found = []
    for one in list_asked(conn):
        roles = tuple(dict.fromkeys(row.role_id or "no role" for row in rows if is_same_model(row.model, one.model)))
        is_set = is_same_model(model, one.model)
        if (one.retires_at is not None or one.lifecycle != "active") and (roles or is_set):
            found.append(Retiring(one, roles, is_set))
    return found
