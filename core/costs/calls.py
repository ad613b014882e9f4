"""Open a model call before it leaves, and settle what came of it by its id, lease or not (contract C2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, insert, select, update

from core.costs.estimates import Estimate
from core.costs.money import is_same_model, price
from core.costs.tables import ModelCall
from core.db.store import Tx
from core.ports import ModelReply, PriceCard, Processing, Rates, Usage
from core.steps import Json

model_calls = ModelCall.__table__  # type: ignore[attr-defined]

# Until it is settled nobody knows what a call used; a process that died leaves it so.
USAGE_UNKNOWN = "usage_unknown"
NOT_BILLED = "not_billed"
OTHER_MODEL = "other_model"


@dataclass(frozen=True, slots=True)
class Opening:
    """A call that is about to leave: whose, for which step, to which model, how, and how large it is thought to be."""

    tenant_id: str
    id: str
    thread_id: str
    role_id: str | None
    step: str
    checkpoint: int
    lease_no: int
    purpose: str
    model: str
    estimate: Estimate
    output_limit: int
    processing: Processing = "standard"
    asked_hash: str | None = None

    def most(self, card: PriceCard | None) -> int | None:
        """Answer what the call costs at the most, in picodollars; None where nobody can say."""
        return _known(self.estimate.most(self.output_limit), card, self.processing)

    def forecast(self, card: PriceCard | None) -> int | None:
        """Answer what the call is expected to cost."""
        return _known(self.estimate.forecast, card, self.processing)


def _known(usage: Usage, card: PriceCard | None, processing: Processing) -> int | None:
    amount = "" if card is None else price(replace(usage, tier=processing), card.of(processing), processing)
    return amount if isinstance(amount, int) else None


def unpriced(tenant_id: str) -> list[ColumnElement[bool]]:
    """Select a tenant's calls that nobody can put a price on: their model is in no price list, or their tier."""
    is_estimated = and_(model_calls.c.unpriced_why == USAGE_UNKNOWN, model_calls.c.estimated_picodollars.is_not(None))
    why = model_calls.c.unpriced_why
    return [model_calls.c.tenant_id == tenant_id, why.is_not(None), why != NOT_BILLED, ~is_estimated]


def open_call(tx: Tx, opening: Opening, card: PriceCard | None, now: datetime) -> None:
    """Write that a call is about to leave, with the rates that hold for it; commit before it goes."""
    row = asdict(opening)
    guess = opening.estimate
    for name in ("estimate", "output_limit"):
        del row[name]
    earlier = select(func.coalesce(func.max(model_calls.c.n), 0)).where(
        model_calls.c.tenant_id == opening.tenant_id, model_calls.c.thread_id == opening.thread_id
    )
    tx.conn.execute(
        insert(model_calls).values(
            **row,
            n=tx.conn.execute(earlier).scalar_one() + 1,
            status="open",
            unpriced_why=USAGE_UNKNOWN,
            rates=None if card is None else [asdict(band) for band in card.of(opening.processing)],
            rates_source=None if card is None else card.source,
            rates_day=None if card is None else card.day,
            sent_bytes=guess.sent_bytes,
            estimated_low_tokens=guess.low,
            estimated_input_tokens=guess.middle,
            estimated_high_tokens=guess.high,
            estimated_output_tokens=guess.output,
            estimate_source=guess.source,
            estimate_calls=guess.calls,
            forecast_picodollars=opening.forecast(card),
            estimated_picodollars=opening.most(card),
            opened_at=now,
        )
    )


def settle_call(tx: Tx, tenant_id: str, call_id: str, reply: ModelReply, now: datetime) -> bool:
    """Write what came of a call, and say whether this did: the first result stands."""
    here = (model_calls.c.tenant_id == tenant_id) & (model_calls.c.id == call_id) & (model_calls.c.status == "open")
    row = tx.conn.execute(
        select(model_calls.c.rates, model_calls.c.model, model_calls.c.processing).where(here)
    ).first()
    if row is None:
        return False
    amount = _amount(reply, row.model, bands_of(row.rates), row.processing)
    tx.conn.execute(
        update(model_calls)
        .where(here)
        .values(
            status=reply.status,
            why=reply.fault and reply.fault.code,
            answered_by=reply.model if reply.usage is not None else None,
            request_id=reply.request_id,
            stop_reason=reply.stop_reason,
            **counts_of(reply.usage),
            picodollars=amount if isinstance(amount, int) else None,
            unpriced_why=amount if isinstance(amount, str) else None,
            closed_at=now,
        )
    )
    return True


def bands_of(rates: Sequence[Mapping[str, Json]] | None) -> tuple[Rates, ...]:
    """Read frozen rates back."""
    return tuple(Rates(**band) for band in rates or ())


def _amount(reply: ModelReply, asked: str, bands: Sequence[Rates], processing: Processing) -> int | str:
    if reply.usage is None:
        return NOT_BILLED if reply.status == "failed" else USAGE_UNKNOWN
    if not is_same_model(asked, reply.model):
        return OTHER_MODEL  # the rates that were frozen are another model's
    return price(reply.usage, bands, processing)


def counts_of(usage: Usage | None) -> dict[str, Json]:
    """Answer a usage as columns."""
    if usage is None:
        return {}
    return {
        "fresh_tokens": usage.fresh,
        "cache_write_5m_tokens": usage.cache_write_5m,
        "cache_write_1h_tokens": usage.cache_write_1h,
        "cache_read_tokens": usage.cache_read,
        "output_tokens": usage.output,
        "thinking_tokens": usage.thinking,
        "tier": usage.tier,
    }
