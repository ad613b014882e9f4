"""What a provider reports becomes raw counts in one place: nothing is counted twice, dropped or made negative."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from anthropic import Anthropic
from anthropic.types import CacheCreation, OutputTokensDetails, ServerToolUsage
from anthropic.types import Usage as Theirs
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.claude_usage import read_usage
from core.costs.counts import INCONSISTENT, OTHER_CHARGES, Reported, usage_of
from core.costs.money import price, usd
from core.ports import Rates, Usage
from tests import messages_api as api
from tests.messages_api import KEY, MODEL, messages_api

counts = st.integers(0, 10**7)
maybe = st.none() | counts
ALL_ONE = (Rates(0, 1, 1, 1, 1, 1),)


def rates(fresh: str, read: str, output: str) -> tuple[Rates, ...]:
    in_, cached, out = (round(float(one) * 1_000_000) for one in (fresh, read, output))
    return (Rates(0, in_, in_, in_, cached, out),)


def amount(usage: Usage, bands: tuple[Rates, ...]) -> str:
    found = price(usage, bands)
    assert isinstance(found, int), found
    return usd(found)


@pytest.mark.case("C01")
def test_what_the_cache_held_is_not_paid_twice_where_it_is_inside_the_input():
    usage = usage_of(Reported(2_400, 300, cache_read=1_900, is_cache_inside=True))

    assert (usage.fresh, usage.cache_read, usage.input) == (500, 1_900, 2_400)
    assert amount(usage, rates("2", "0.2", "8")) == "0.00378"


@pytest.mark.case("C02")
def test_what_the_cache_held_is_not_paid_as_input_where_it_stands_beside_it():
    usage = usage_of(Reported(1_200, 800, cache_read=45_000))

    assert (usage.fresh, usage.input) == (1_200, 46_200)
    assert amount(usage, rates("3", "0.3", "15")) == "0.0291"


@pytest.mark.case("C03")
def test_the_same_figures_of_two_providers_are_two_amounts():
    inside, beside = (usage_of(Reported(10_000, 500, 4_000, is_cache_inside=one)) for one in (True, False))
    both = [price(one, rates("2", "0.2", "8")) for one in (inside, beside)]

    assert [usd(one) for one in both if isinstance(one, int)] == ["0.0168", "0.0248"]
    assert usd(sum(one for one in both if isinstance(one, int))) == "0.0416"


@pytest.mark.case("C09")
def test_a_batch_keeps_the_discount_of_what_the_cache_held():
    halved = rates("1", "0.1", "4")
    usage = usage_of(Reported(10_000, 1_000, 8_000, tier="batch", is_cache_inside=True))

    found = price(usage, halved, "batch")
    assert isinstance(found, int)
    assert usd(found) == "0.0068"
    assert price(usage, halved) == "other_tier"


@pytest.mark.case("C15")
def test_a_report_that_contradicts_itself_is_kept_as_it_came_and_has_no_price():
    usage = usage_of(Reported(1_000, 0, cache_read=1_500, is_cache_inside=True))

    assert (usage.fresh, usage.cache_read, usage.doubt) == (1_000, 1_500, INCONSISTENT)
    assert price(usage, ALL_ONE) == INCONSISTENT


@pytest.mark.parametrize(
    ("said", "doubt"),
    [
        (Reported(1, 1, cache_written=100, cache_write_5m=30, cache_write_1h=20), INCONSISTENT),
        (Reported(1, 1, thinking=2), INCONSISTENT),
        (Reported(1, 1, other_charges=1), OTHER_CHARGES),
        (Reported(1, 1, cache_written=100, cache_write_5m=0, cache_write_1h=0), None),
    ],
)
def test_doubts(said: Reported, doubt: str | None):
    assert usage_of(said).doubt == doubt


def test_a_sum_without_its_parts_was_written_for_five_minutes():
    assert usage_of(Reported(1, 1, cache_written=100)).cache_write_5m == 100


@given(
    fresh=counts,
    output=counts,
    read=maybe,
    written=maybe,
    five=maybe,
    hour=maybe,
    thinking=maybe,
    searches=st.integers(0, 2),
)
def test_no_report_of_the_client_is_dropped_doubled_or_negative(
    fresh: int, output: int, read: int | None, written: int | None, five: int | None, hour: int | None,
    thinking: int | None, searches: int,
):  # fmt: skip
    parts = None
    if five is not None or hour is not None:
        parts = CacheCreation(ephemeral_5m_input_tokens=five or 0, ephemeral_1h_input_tokens=hour or 0)
    theirs = Theirs(
        input_tokens=fresh,
        output_tokens=output,
        cache_read_input_tokens=read,
        cache_creation_input_tokens=written,
        cache_creation=parts,
        output_tokens_details=None if thinking is None else OutputTokensDetails(thinking_tokens=thinking),
        server_tool_use=ServerToolUsage(web_search_requests=searches, web_fetch_requests=0) if searches else None,
    )

    usage = read_usage(SimpleNamespace(usage=theirs))

    assert usage is not None
    assert (usage.fresh, usage.output, usage.cache_read, usage.thinking) == (fresh, output, read or 0, thinking)
    assert min(usage.cache_write_5m, usage.cache_write_1h) >= 0
    if usage.doubt is None:
        in_parts = (five or 0) + (hour or 0)
        assert usage.cache_write_5m + usage.cache_write_1h == (written if written is not None else in_parts)
        due = fresh + output + (read or 0) + usage.cache_write_5m + usage.cache_write_1h
        assert price(usage, ALL_ONE) == due  # thinking is a part of the output and is not paid again
    else:
        assert price(usage, ALL_ONE) == usage.doubt


@pytest.mark.case("C12")
def test_the_last_count_of_a_stream_is_the_whole_count():
    said = api.message("").body
    events = [
        ("message_start", {"type": "message_start", "message": {
            **said, "content": [], "stop_reason": None, "usage": {"input_tokens": 25, "output_tokens": 1}}}),
        ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                           "usage": {"output_tokens": 15}}),
        ("message_stop", {"type": "message_stop"}),
    ]  # fmt: skip
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
    with messages_api() as server:
        server.say(api.Answer(body=body))
        client = Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
        with client.messages.stream(model=MODEL, max_tokens=20, messages=[{"role": "user", "content": "?"}]) as stream:
            usage = read_usage(stream.get_final_message())
        client.close()

    assert usage is not None
    assert (usage.fresh, usage.output) == (25, 15)
