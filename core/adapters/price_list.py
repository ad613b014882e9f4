"""What models cost, as the genai-prices package has it on the machine; it asks nobody."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING

from core.costs.money import is_same_model
from core.ports import PriceCard, Rates

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice

_PROVIDER = "anthropic"
_PICODOLLARS = 1_000_000  # of one token, at one dollar a million tokens
_COLUMNS = ("input_mtok", "cache_write_mtok", "cache_write_1h_mtok", "cache_read_mtok", "output_mtok")


class PublishedPrices:
    """The rates of Claude models. A model that is not listed by its very name has none: no neighbour's are borrowed."""

    def card(self, model: str, day: date) -> PriceCard | None:
        """Answer a model's rates on a day."""
        # It takes a fifth of a second to load, and only a call that is about to leave needs it.
        from genai_prices import Usage, __version__, calc_price  # noqa: PLC0415

        noon = datetime.combine(day, time(12), UTC)
        one = Usage(input_tokens=1)
        try:
            found = calc_price(one, model, provider_id=_PROVIDER, genai_request_timestamp=noon)
        except LookupError:
            return None
        if not is_same_model(model, found.model.id):
            return None
        bands = _bands(found.model_price)
        halved = calc_price(
            one, model, provider_id=_PROVIDER, genai_request_timestamp=noon, price_context={"processing": "batch"}
        )
        batch = _bands(halved.model_price)
        # Where it knows no rates of batches the package answers the full price, and says nothing.
        known = () if batch == bands else batch
        return PriceCard(bands, f"genai-prices {__version__}", day, known) if bands else None


def _bands(price: ModelPrice) -> tuple[Rates, ...]:
    """Answer a price as bands, or nothing where one of its rates is missing or is no whole number of picodollars."""
    bands = [_band(price, above) for above in _thresholds(price)]
    whole = tuple(band for band in bands if band is not None)
    return whole if len(whole) == len(bands) else ()


def _thresholds(price: ModelPrice) -> list[int]:
    tiers = [tier.start for name in _COLUMNS for tier in getattr(getattr(price, name), "tiers", ())]
    return sorted({0, *tiers})


def _band(price: ModelPrice, above: int) -> Rates | None:
    """Answer the rates above so many tokens, or None where one is missing or is no whole number of picodollars."""
    rates = [_rate(getattr(price, name), above) for name in _COLUMNS]
    if any(rate is None or rate % 1 for rate in rates):
        return None
    fresh, write_5m, write_1h, read, output = (int(rate) for rate in rates if rate is not None)
    return Rates(above, fresh, write_5m, write_1h, read, output)


def _rate(price: object, above: int) -> Decimal | None:
    base = getattr(price, "base", price)
    for tier in getattr(price, "tiers", ()):
        if tier.start <= above:
            base = tier.price
    return base * _PICODOLLARS if isinstance(base, Decimal) else None
