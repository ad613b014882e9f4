"""What a role would cost if something were otherwise, and how that differs from a baseline.

One scenario is the course's inputs and what its text leaves out: a batch, a cache and how often it is alive, calls that
are tried again, applicants that are scored anew. Everything is an estimate in whole picodollars, and is said as one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from core.costs.caches import Lifetime, compare
from core.costs.course import CourseInputs, course
from core.ports import Rates


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is assumed. Shares are of 1; `batch_rates` is None where nobody knows what a batch costs.

    `hit_share` is how many calls find the cache alive. A conversation cannot go by batch: each call needs the one
    before. `model` is whose rates these are, in words.
    """

    inputs: CourseInputs = field(default_factory=CourseInputs)
    model: str = "the course"
    lifetime: Lifetime = "none"
    hit_share: Decimal = Decimal(0)
    is_batch: bool = False
    batch_rates: Rates | None = None
    retry_share: Decimal = Decimal(0)
    rescore_share: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Estimated:
    """What comes of a scenario. `threads` is None where nobody can say."""

    applicants: int
    fits: int
    conversation: int
    threads: int | None
    minutes: int


def estimate_role(scenario: Scenario) -> Estimated:
    """Estimate what both designs would cost, with their output, and the founder's minutes."""
    inputs = scenario.inputs
    plain = compare(inputs, scenario.lifetime, scenario.hit_share)
    again = 1 + scenario.retry_share + scenario.rescore_share
    found = course(inputs)
    return Estimated(
        applicants=inputs.applicants,
        fits=found.fits,
        conversation=round(plain.conversation * again),
        threads=_threads(scenario, again),
        minutes=found.queue_seconds // 60,
    )


def _threads(scenario: Scenario, again: Decimal) -> int | None:
    if not scenario.is_batch:
        return round(compare(scenario.inputs, scenario.lifetime, scenario.hit_share).threads * again)
    if scenario.batch_rates is None:
        return None
    halved = replace(scenario.inputs, rates=scenario.batch_rates)
    return round(compare(halved, scenario.lifetime, scenario.hit_share).threads * again)
