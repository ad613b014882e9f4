"""The honest counter-arguments: what a prompt cache, a larger window and a longer output do to the same arithmetic.

A cached prefix is read at the cache's rate while it lives, and is written anew where the next call comes later than
that. Whether it does is a matter of when applicants arrive: of recorded arrivals each gap is known; of arrivals at
random, so many over a span on average, the share of gaps shorter than a lifetime is 1 - exp(-applicants * lifetime /
span).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from core.costs.course import Course, CourseInputs, course

Lifetime = Literal["none", "5m", "1h", "for ever"]
SECONDS = {"5m": 300, "1h": 3_600}
LIFETIMES: tuple[Lifetime, ...] = ("none", "5m", "1h", "for ever")


@dataclass(frozen=True, slots=True)
class Compared:
    """Both designs at one cache lifetime, with all their output, in whole picodollars."""

    lifetime: Lifetime
    hit_share: Decimal
    covered: int
    conversation: int
    threads: int


def share_at_random(applicants: int, span: timedelta, lifetime: Lifetime) -> Decimal:
    """Answer the share of calls that find the cache alive, if so many applicants come at random over a span."""
    if lifetime in ("none", "for ever"):
        return Decimal(lifetime == "for ever")
    of_span = Decimal(SECONDS[lifetime]) / Decimal(span.total_seconds())
    return 1 - (-applicants * of_span).exp()


def share_of(arrivals: Sequence[datetime], lifetime: Lifetime) -> Decimal:
    """Answer the share of calls that found the cache alive, by recorded times of arrival."""
    if lifetime in ("none", "for ever") or len(arrivals) < 2:
        return Decimal(lifetime == "for ever")
    came = sorted(arrivals)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(came)]
    return Decimal(sum(gap <= SECONDS[lifetime] for gap in gaps)) / len(gaps)


def compare(inputs: CourseInputs, lifetime: Lifetime, hit_share: Decimal) -> Compared:
    """Compute both designs where this share of calls finds the cache alive; the first call never does."""
    found = course(inputs)
    return Compared(
        lifetime,
        hit_share,
        found.covered,
        _conversation(found, lifetime, hit_share),
        _threads(found, lifetime, hit_share),
    )


def with_window(inputs: CourseInputs, window: int, applicants: int) -> Course:
    """Compute the same role in another window."""
    return course(replace(inputs, window=window, applicants=applicants))


def _conversation(found: Course, lifetime: Lifetime, hit_share: Decimal) -> int:
    inputs, rates = found.inputs, found.inputs.rates
    if lifetime == "none":
        return found.conversation + found.conversation_output
    if found.covered == 0:
        return 0
    write = rates.cache_write_1h if lifetime == "1h" else rates.cache_write_5m
    first = inputs.fixed_tokens + inputs.growth
    later = found.conversation_tokens - first
    added = inputs.growth * (found.covered - 1)
    hit = (later - added) * rates.cache_read + added * write
    missed = later * write
    return first * write + round(hit_share * hit + (1 - hit_share) * missed) + found.conversation_output


def _threads(found: Course, lifetime: Lifetime, hit_share: Decimal) -> int:
    inputs, rates = found.inputs, found.inputs.rates
    count = inputs.applicants
    if lifetime == "none" or count == 0:
        return found.threads
    write = rates.cache_write_1h if lifetime == "1h" else rates.cache_write_5m
    own = count * (inputs.applicant_tokens * rates.fresh + inputs.output_tokens * rates.output)
    each = hit_share * rates.cache_read + (1 - hit_share) * write
    return own + inputs.fixed_tokens * write + round((count - 1) * inputs.fixed_tokens * each)
