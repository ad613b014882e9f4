"""The course's arithmetic: each sum of its text comes out of the inputs that are shown, and moves with them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.costs.caches import compare, share_at_random, share_of, with_window
from core.costs.course import CourseInputs, course
from core.costs.money import usd
from core.ports import Rates

TEXT = CourseInputs()
CLAUDE = replace(TEXT, rates=Rates(0, 2_000_000, 2_500_000, 4_000_000, 100_000, 10_000_000))
THREE_DAYS = timedelta(hours=72)


def cents(picodollars: int) -> str:
    return f"{Decimal(usd(picodollars)).quantize(Decimal('0.01'))}"


def test_every_sum_of_the_text_comes_out_of_its_inputs():
    found = course(TEXT)

    assert (TEXT.cv_tokens, TEXT.applicant_tokens, TEXT.growth) == (1_430, 1_700, 2_000)
    assert (found.room, found.fits, found.left_out) == (190_000, 95, 55)  # applicant 96, and the 54 after it
    assert (found.conversation_tokens, usd(found.conversation)) == (9_310_000, "18.62")
    assert (usd(found.threads_input), usd(found.threads_output), usd(found.threads)) == ("1.11", "0.30", "1.41")
    assert (found.bytes_per_thread, found.bytes_total) == (16_000, 2_400_000)
    assert (found.copies, round(found.copied_bytes / 1e6)) == (1_200, 14)
    assert (found.queue, found.queue_seconds) == (45, 675)


def test_a_senior_role_draws_four_hundred():
    found = course(TEXT.at(400))

    assert (found.threads_input_tokens, found.threads_output_tokens) == (1_480_000, 100_000)
    assert (usd(found.threads_input), usd(found.threads_output), usd(found.threads)) == ("2.96", "0.80", "3.76")
    assert (found.bytes_total, found.queue, found.queue_seconds) == (6_400_000, 120, 1_800)
    assert (found.fits, found.conversation_tokens) == (95, 9_310_000)


@pytest.mark.parametrize(
    ("applicants", "covered", "left_out", "tokens", "threads"),
    [
        (0, 0, 0, 0, "0.00"),
        (50, 50, 0, 2_650_000, "0.47"),
        (97, 95, 2, 9_310_000, "0.9118"),
        (150, 95, 55, 9_310_000, "1.41"),
        (400, 95, 305, 9_310_000, "3.76"),
    ],
)
def test_a_conversation_covers_those_that_fit(applicants: int, covered: int, left_out: int, tokens: int, threads: str):
    found = course(TEXT.at(applicants))

    assert (found.covered, found.left_out, found.conversation_tokens) == (covered, left_out, tokens)
    assert usd(found.threads) == threads
    assert tokens == sum(2_000 + 2_000 * k for k in range(1, covered + 1))


@pytest.mark.parametrize(
    ("changed", "moves"),
    [
        ({"words": 2_200}, {"fits", "conversation_tokens", "threads_input", "copied_bytes"}),
        ({"tokens_per_word": Decimal("2.3")}, {"fits", "conversation_tokens", "threads_input"}),
        ({"window": 1_000_000}, {"room", "fits", "conversation_tokens"}),
        ({"output_tokens": 500}, {"threads_output", "conversation_output"}),
        ({"rates": CLAUDE.rates}, {"threads_output", "conversation_output"}),
        ({"checkpoints": 4}, {"copies", "bytes_per_thread", "bytes_total", "copied_bytes"}),
        ({"look_share": Decimal("0.5")}, {"queue", "queue_seconds"}),
    ],
)
def test_changing_one_input_changes_what_rests_on_it(changed: dict[str, object], moves: set[str]):
    before, after = course(TEXT), course(replace(TEXT, **changed))  # type: ignore[arg-type]

    moved = {name for name in before.__slots__ if name != "inputs" and getattr(before, name) != getattr(after, name)}
    assert moves <= moved
    untouched = {"copies"} if "checkpoints" not in changed else {"queue"}
    assert not untouched & moved


def test_a_cache_that_never_expires_makes_the_conversation_nearly_as_cheap():
    assert cents(compare(CLAUDE, "for ever", Decimal(1)).conversation) == "1.63"


@pytest.mark.parametrize(
    ("lifetime", "conversation", "threads"),
    [("none", "18.86", "1.48"), ("5m", "20.02", "1.52"), ("1h", "6.35", "1.07")],
)
def test_a_cache_that_expires_is_worth_what_the_arrivals_make_it(lifetime: str, conversation: str, threads: str):
    share = share_at_random(150, THREE_DAYS, lifetime)  # type: ignore[arg-type]
    found = compare(CLAUDE, lifetime, share)  # type: ignore[arg-type]

    assert (cents(found.conversation), cents(found.threads)) == (conversation, threads)


def test_real_arrivals_are_counted_gap_by_gap():
    began = datetime(2026, 8, 20, 9, tzinfo=UTC)
    came = [began + timedelta(minutes=minute) for minute in (0, 4, 9, 60, 180)]

    assert [share_of(came, one) for one in ("none", "5m", "1h", "for ever")] == [0, Decimal("0.5"), Decimal("0.75"), 1]
    assert share_of(came[:1], "5m") == share_of([], "1h") == 0


def test_a_million_tokens_hold_four_hundred_and_cost_eighty_times_as_much():
    found = with_window(CLAUDE, 1_000_000, 400)

    assert (found.fits, found.left_out) == (495, 0)
    assert (cents(found.conversation + found.conversation_output), usd(found.threads)) == ("323.40", "3.96")
