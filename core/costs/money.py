"""Whole picodollars: what a call's counts come to, and how an amount is said.

A rate is a whole number of picodollars a token ($1 a million tokens is 1,000,000), so a sum is exact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core.ports import Processing, Rates, Usage

_RELEASE = re.compile(r"(-latest|-0|[-@]\d{8})$")


def price(usage: Usage, bands: Sequence[Rates], processing: Processing = "standard") -> int | str:
    """Answer what a call's counts come to in picodollars, or the code of why nobody can say.

    A tier has its own rates: what was served as another than it was asked for is not priced at these. The rates of the
    highest band that the whole input exceeds hold for every token of the call.
    """
    if not bands:
        return "no_rates"
    if usage.doubt is not None:
        return usage.doubt
    if usage.tier != processing:
        return "other_tier"
    rates = max((band for band in bands if band.above == 0 or usage.input > band.above), key=lambda band: band.above)
    return (
        usage.fresh * rates.fresh
        + usage.cache_write_5m * rates.cache_write_5m
        + usage.cache_write_1h * rates.cache_write_1h
        + usage.cache_read * rates.cache_read
        + usage.output * rates.output
    )


def is_same_model(asked: str, answered: str) -> bool:
    """Say whether two names mean one model: they may differ by the day of a release, and by nothing else.

    A name that only begins like another is another model, with a price of its own.
    """
    return _RELEASE.sub("", asked) == _RELEASE.sub("", answered)


def picodollars(dollars: Decimal) -> int:
    """Answer dollars as whole picodollars, rounded to the nearest."""
    return int(dollars.scaleb(12).to_integral_value())


def usd(amount: int) -> str:
    """Write an amount as decimal text, exactly, with at least two places: `1.41`, `0.003725`."""
    whole, _, part = f"{Decimal(amount).scaleb(-12):.12f}".partition(".")
    return f"{whole}.{part.rstrip('0').ljust(2, '0')}"
