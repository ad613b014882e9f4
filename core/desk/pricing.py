"""What scoring threads anew would cost: an estimate, said as one, and never an amount that somebody paid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Connection

from core.clock import real_now
from core.costs.cards import card_of
from core.costs.money import price
from core.desk.desk import Desk
from core.ports import Usage
from core.views.costs import CallSize, read_call_size

_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Cost:
    """What scoring so many threads costs with a model, by estimate; `usd` is None where nobody can say, never 0."""

    model: str
    usd: Decimal | None
    sentence: str


def cost_of_scoring(conn: Connection, desk: Desk, tenant_id: str, role_id: str, count: int) -> Cost:
    """Estimate from what the role's calls used, else from the size of what was scored and all the output allowed."""
    label, calls = desk.model.label, "1 call" if count == 1 else f"{count} calls"
    if not desk.model.leaves_machine or count == 0:
        return Cost(label, Decimal(0), f"{label}: nothing")
    # Money is paid by the real day, whatever a clock says.
    card = card_of(conn, desk.prices, tenant_id, label, real_now().date())
    if card is None:
        return Cost(label, None, f"{label}: {calls}, not estimated, as no price of this model is known")
    size = read_call_size(conn, tenant_id, role_id, label)
    if size is None:
        return Cost(label, None, f"{label}: {calls}, not estimated, as nothing of this role was scored yet")
    output = desk.model.output_limit if size.output is None else size.output
    each = price(Usage(size.input, output), card.bands)
    if not isinstance(each, int):
        return Cost(label, None, f"{label}: {calls}, not estimated, as no price of such a call is known")
    usd = Decimal(each * count).scaleb(-12)
    return Cost(label, usd, f"{label}: an estimate of {_say(usd, size)} for {calls}, by {card.source}")


def _say(usd: Decimal, size: CallSize) -> str:
    amount = "less than $0.01" if usd < _CENT else f"${usd.quantize(_CENT)}"
    return amount if size.output is not None else f"at most {amount}"
