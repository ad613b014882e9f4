"""What calls cost: exact sums at frozen rates, and no price for a model that is not listed by its name."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from genai_prices import extract_usage
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.price_list import PublishedPrices
from core.costs.money import is_same_model, price, usd
from core.ports import PriceCard, Rates, Usage

DAY = date(2026, 11, 2)
COURSE = (Rates(0, 2_000_000, 2_500_000, 4_000_000, 200_000, 8_000_000),)
MODELS = ("claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5-2", "claude-haiku-4-5-20251001")
counts = st.integers(0, 300_000)


def card(model: str) -> PriceCard:
    found = PublishedPrices().card(model, DAY)
    assert found is not None
    return found


def test_the_courses_applicant_costs_what_the_course_says():
    one = price(Usage(3_700, 250), COURSE)
    assert isinstance(one, int)
    assert (usd(one), usd(150 * one)) == ("0.0094", "1.41")


@pytest.mark.parametrize(
    ("usage", "amount"),
    [
        (Usage(1_200, 800, cache_read=45_000), "0.0291"),
        (Usage(0, 0), "0.00"),
        (Usage(0, 1), "0.000015"),
    ],
)
def test_what_a_cache_held_is_priced_apart_from_what_was_read_fresh(usage: Usage, amount: str):
    found = price(usage, (Rates(0, 3_000_000, 3_750_000, 6_000_000, 300_000, 15_000_000),))
    assert isinstance(found, int)
    assert usd(found) == amount


@given(fresh=counts, output=counts, write_5m=counts, write_1h=counts, read=counts, model=st.sampled_from(MODELS))
def test_an_amount_is_what_the_price_list_itself_would_say(
    fresh: int, output: int, write_5m: int, write_1h: int, read: int, model: str
):
    found = price(Usage(fresh, output, write_5m, write_1h, read), card(model).bands)
    raw = {
        "model": model,
        "usage": {
            "input_tokens": fresh,
            "output_tokens": output,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": write_5m + write_1h,
            "cache_creation": {"ephemeral_5m_input_tokens": write_5m, "ephemeral_1h_input_tokens": write_1h},
        },
    }
    theirs = extract_usage(raw, provider_id="anthropic").calc_price(
        genai_request_timestamp=datetime(2026, 11, 2, 12, tzinfo=UTC)
    )
    assert isinstance(found, int)
    assert Decimal(found).scaleb(-12) == theirs.total_price


def test_above_a_threshold_every_token_costs_the_higher_rate():
    bands = card("claude-haiku-5-5").bands
    at, above = price(Usage(100_000, 0), bands), price(Usage(100_001, 0), bands)
    assert isinstance(at, int)
    assert isinstance(above, int)
    assert above > 4 * at


@pytest.mark.parametrize("model", ["claude-haiku-4-5-of-ours", "claude-sonnet-5-50", "claude-sonnet-9", "claude-"])
def test_a_model_that_only_begins_like_a_priced_one_has_no_price(model: str):
    assert PublishedPrices().card(model, DAY) is None


def test_a_release_of_a_priced_model_has_its_price():
    assert card("claude-sonnet-5-5-20260901").bands == card("claude-sonnet-5-5").bands
    assert card("claude-sonnet-5-5").source.startswith("genai-prices ")


def test_names_differ_by_the_day_of_a_release_only():
    assert is_same_model("claude-sonnet-5-5", "claude-sonnet-5-5-20260901")
    assert is_same_model("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022")
    assert not is_same_model("claude-sonnet-5", "claude-sonnet-5-5")
    assert not is_same_model("claude-sonnet-5-5", "claude-sonnet-5-5-20260901-fast")


@pytest.mark.case("C07")
def test_a_batch_costs_half_of_what_the_same_calls_cost():
    halved = tuple(
        Rates(0, *(one // 2 for one in (2_000_000, 2_500_000, 4_000_000, 200_000, 8_000_000))) for _ in COURSE
    )
    normal, batch = price(Usage(3_700, 250), COURSE), price(Usage(3_700, 250, tier="batch"), halved, "batch")

    assert isinstance(normal, int)
    assert isinstance(batch, int)
    assert (usd(150 * normal), usd(150 * batch)) == ("1.41", "0.705")


def test_rates_of_batches_are_known_from_the_day_on_that_the_price_list_has_them():
    known, before = card("claude-sonnet-5-5"), PublishedPrices().card("claude-sonnet-5-5", date(2026, 10, 13))

    assert [2 * one.output for one in known.batch] == [one.output for one in known.bands]
    assert (known.of("batch"), known.of("standard")) == (known.batch, known.bands)
    assert before is not None
    assert (before.batch, price(Usage(1, 1, tier="batch"), before.of("batch"), "batch")) == ((), "no_rates")


def test_what_was_served_otherwise_than_as_standard_has_no_price():
    assert price(Usage(1, 1, tier="priority"), COURSE) == "other_tier"
    assert price(Usage(1, 1), ()) == "no_rates"


@given(st.integers(0, 10**18))
def test_an_amount_is_written_exactly(amount: int):
    assert Decimal(usd(amount)).scaleb(12) == amount
    assert len(usd(amount).partition(".")[2]) >= 2
