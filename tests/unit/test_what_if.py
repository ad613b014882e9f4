"""What-ifs: each thing that may be otherwise moves the estimate it should, against the same baseline."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from core.costs.caches import share_at_random
from core.costs.course import COURSE_RATES, CourseInputs
from core.costs.money import usd
from core.costs.what_if import Scenario, estimate_role
from core.ports import Rates
from tests.unit.test_course import CLAUDE, THREE_DAYS

HALF = Rates(0, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 4_000_000)


def threads(scenario: Scenario) -> str:
    found = estimate_role(scenario).threads
    assert found is not None
    return usd(found)


def test_the_baseline_is_the_course():
    found = estimate_role(Scenario())

    assert (found.applicants, found.fits, found.minutes, threads(Scenario())) == (150, 95, 11, "1.41")
    assert usd(found.conversation) == "18.81"  # 18.62 of input, 0.19 of output


def test_a_batch_halves_the_threads_and_leaves_the_conversation():
    by_batch = Scenario(is_batch=True, batch_rates=HALF)

    assert threads(by_batch) == "0.705"
    assert estimate_role(by_batch).conversation == estimate_role(Scenario()).conversation
    assert estimate_role(replace(by_batch, batch_rates=None)).threads is None


def test_retries_and_scoring_anew_are_paid_again():
    assert threads(Scenario(retry_share=Decimal("0.1"))) == "1.551"
    assert threads(Scenario(rescore_share=Decimal(1))) == "2.82"
    assert threads(Scenario(retry_share=Decimal("0.1"), rescore_share=Decimal(1))) == "2.961"


def test_more_applicants_longer_answers_and_a_cache():
    assert threads(Scenario(inputs=CourseInputs(applicants=400))) == "3.76"
    assert threads(Scenario(inputs=CourseInputs(output_tokens=500))) == "1.71"
    share = share_at_random(150, THREE_DAYS, "1h")
    cached = estimate_role(Scenario(inputs=CLAUDE, lifetime="1h", hit_share=share))
    plain = estimate_role(Scenario(inputs=replace(CLAUDE, rates=COURSE_RATES)))
    assert cached.conversation < plain.conversation
