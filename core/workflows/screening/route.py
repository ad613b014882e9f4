"""From scores and rules to a total, its band and a proposal. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import StepFailed
from core.steps import Json
from core.workflows.screening.state import Answer, Band, CriterionScore, Proposal, RuleResult


@dataclass(frozen=True, slots=True)
class Routed:
    """Where a thread goes: nothing but its proposal differs, for a person answers at every band."""

    total: int | None
    band: Band | None
    proposal: Proposal


def route_by(
    rule_results: Sequence[RuleResult], scores: Sequence[CriterionScore], rubric: Mapping[str, Json]
) -> Routed:
    """Propose: a rule answered no is a decline; one not stated, or no scores, needs the person's look."""
    answers = {result.answer for result in rule_results}
    total = sum(score.score for score in scores) if scores else None
    band = None if total is None else band_of(total, rubric)
    if Answer.NO in answers:
        return Routed(total, band, Proposal.DECLINE)
    if Answer.NOT_STATED in answers or band is None:
        return Routed(total, band, Proposal.REVIEW)
    return Routed(total, band, band.proposal)


def band_of(total: int, rubric: Mapping[str, Json]) -> Band:
    """Answer the band that the total lies in."""
    for band in rubric["bands"]:
        if band["low"] <= total <= band["high"]:
            return Band(band["low"], band["high"], Proposal(band["proposal"]))
    raise StepFailed(f"The rubric has no band for a total of {total}; give it one.")


def words_of(band: Band) -> str:
    """Say a band in words."""
    return f"{band.low} to {band.high}"


def edge_of(total: int | None, max_total: int | None, band: Band) -> int | None:
    """Say how many points a total lies from where another band begins; None where there is no other band."""
    if total is None:
        return None
    below = [total - band.low] if band.low > 0 else []
    above = [band.high - total] if max_total is None or band.high < max_total else []
    return min([*below, *above], default=None)
