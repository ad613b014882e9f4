"""Amounts as people read them: rounded here and nowhere else, with the exact one on hover."""

from __future__ import annotations

from decimal import Decimal

from core.costs.money import usd
from pages.parts.untrusted import Html, tag

_CENT = Decimal("0.01")
_MILLION, _THOUSAND = 1_000_000, 1_000


def dollars(picodollars: int) -> str:
    """Write an amount to the cent, or to two figures where it is less than ten cents."""
    amount = Decimal(picodollars).scaleb(-12)
    if amount == 0 or amount.copy_abs() >= 10 * _CENT:
        return f"${amount.quantize(_CENT):,}"
    return f"${amount:.2g}" if amount.copy_abs() >= Decimal("0.0001") else f"${amount:.1e}"


def money(picodollars: int) -> Html:
    """Show an amount, exact on hover."""
    return tag("span", dollars(picodollars), title=f"${usd(picodollars)}", cls="money")


def tokens(count: int) -> str:
    """Write a count of tokens: `55.0 M`, `4.0 k`, `250`."""
    if count >= _MILLION:
        return f"{count / _MILLION:,.1f} M"
    return f"{count / _THOUSAND:,.1f} k" if count >= _THOUSAND else str(count)
