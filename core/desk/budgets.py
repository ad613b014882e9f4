"""Budgets and rate cards set by a person. Pages and commands call this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select

from core.catalog.roles import get_role
from core.clock import iso
from core.costs.budgets import QUESTION, TENANT, Budget, write_budget
from core.costs.cards import OwnCard, add_card, check_rates
from core.costs.lives import write_lives
from core.costs.money import usd
from core.costs.ways import Way, write_way
from core.db.store import Tx
from core.desk.desk import Actor
from core.errors import BadInput
from core.limits import REASON, one_line
from core.people.people import check_is_owner
from core.ports import ModelLife, Rates
from core.review.read import approvals
from core.threads.of_role import wake
from core.threads.rows import threads

MOST_BUDGET = 1_000_000 * 10**12  # $1,000,000
_HALF, _WHOLE = 50, 100


def set_budget(
    tx: Tx, actor: Actor, role_id: str | None, limit: int | None, *, begins_at: datetime | None = None
) -> Budget:
    """Set what a role (or with none the tenant) may spend, in picodollars; None takes the budget away.

    Whoever was asked about a budget looks again. Raises NotAllowed for anybody but an owner, NotFound, BadInput.
    """
    check_is_owner(actor.member)
    if role_id is not None:
        get_role(tx.conn, actor.tenant_id, role_id)
    if limit is not None and not 0 <= limit <= MOST_BUDGET:
        raise BadInput("A budget is from $0 to $1,000,000.")
    set_ = write_budget(
        tx, actor.tenant_id, role_id or TENANT, limit, begins_at=begins_at, by=actor.member.id, now=actor.now
    )
    wake_asking(tx, actor.tenant_id, actor.now)
    said = {"version": set_.version, "limit": None if limit is None else usd(limit), "since": iso(begins_at)}
    actor.note(tx, "budget_set", None, role=set_.role_id, **said)
    return set_


def wake_asking(tx: Tx, tenant_id: str, now: datetime) -> None:
    """Let every thread that asks about a budget look again; what it asks no more is withdrawn."""
    asking = select(approvals.c.thread_id).where(
        approvals.c.tenant_id == tenant_id, approvals.c.kind == QUESTION, approvals.c.status == "pending"
    )
    wake(tx, [threads.c.tenant_id == tenant_id, threads.c.id.in_(asking), threads.c.status == "awaiting_review"], now)


def set_way(tx: Tx, actor: Actor, role_id: str, way: Way) -> int:
    """Say how a role's calls are asked from now on; raises NotAllowed for anybody but an owner, NotFound, BadInput."""
    check_is_owner(actor.member)
    get_role(tx.conn, actor.tenant_id, role_id)
    if way.overnight is not None and way.overnight[0] == way.overnight[1]:
        raise BadInput("A night begins and ends at two different times.")
    version = write_way(tx, actor.tenant_id, role_id, way, by=actor.member.id, now=actor.now)
    actor.note(tx, "call_way_set", None, role=role_id, version=version, cache=way.cache, by_batch=bool(way.overnight))
    return version


def note_lives(tx: Tx, actor: Actor, said: Sequence[ModelLife]) -> None:
    """Write when models retire, as their provider said just now; raises NotAllowed for anybody but an owner."""
    check_is_owner(actor.member)
    write_lives(tx, said, actor.now)
    actor.note(tx, "models_listed", None, models=len(said))


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card as a person gives it; `batch_percent` is what a batch costs of the full rate, None where nobody knows."""

    model: str
    rates: Rates
    from_day: date
    note: str
    batch_percent: int | None = _HALF


def add_rates(tx: Tx, actor: Actor, new: NewCard) -> OwnCard:
    """Write a rate card; no recorded cost changes. Raises NotAllowed for anybody but an owner, BadInput."""
    check_is_owner(actor.member)
    note = one_line(new.note, REASON, "Where the rates are from")
    if not note:
        raise BadInput("Say where these rates are from: a contract, an invoice, a page.")
    batch = None if new.batch_percent is None else _share_of(new.rates, new.batch_percent)
    card = add_card(
        tx, actor.tenant_id, new.model, check_rates(new.rates), batch, from_day=new.from_day, note=note,
        by=actor.member.id, now=actor.now,
    )  # fmt: skip
    actor.note(tx, "rates_added", None, model=card.model, version=card.version, from_day=card.from_day.isoformat())
    return card


def _share_of(rates: Rates, percent: int) -> Rates:
    whole = (rates.fresh, rates.cache_write_5m, rates.cache_write_1h, rates.cache_read, rates.output)
    if any(one * percent % _WHOLE for one in whole):
        raise BadInput(f"{percent} % of these rates is no whole number of picodollars a token; round the rates.")
    return Rates(rates.above, *(one * percent // _WHOLE for one in whole))
