"""Which questions may be answered together: alike in what the answer rests on, and looked at unless a rule fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.review.read import Approval
from core.steps import Json, Verdict

LARGEST_BATCH = 50


@dataclass(frozen=True, slots=True)
class Marked:
    """A question marked for a batch: the version seen, and whether its card was opened at that version."""

    approval_id: str
    seen_version: int
    is_opened: bool


def failed_rules(facts: Mapping[str, Json]) -> tuple[str, ...]:
    """Name the deterministic rules that were answered no."""
    return tuple(str(rule["title"]) for rule in facts.get("rules") or () if rule["answer"] == "no")


def check_alike(approvals: Sequence[Approval], marked: Sequence[Marked], verdict: Verdict) -> None:
    """Raise BadInput where these may not be answered together; the sentence says which and why.

    They are alike where step, rubric version, kinds of effects and reason (rules failed, else the band) are the same.
    A question that nobody opened may only be declined, and only for a failed rule, never for a model's score.
    """
    if not 0 < len(marked) <= LARGEST_BATCH:
        raise BadInput(f"A batch is 1 to {LARGEST_BATCH} questions; {len(marked)} are marked.")
    unlike = {alikeness(one, verdict): one for one in approvals}
    if len(unlike) > 1:
        words, (first, second) = ("step", "rubric version", "kind of effect", "reason"), list(unlike)[:2]
        apart = next(word for word, a, b in zip(words, first, second, strict=True) if a != b)
        raise BadInput(f"What is marked differs in its {apart}; answer those apart.")
    opened = {one.approval_id for one in marked if one.is_opened}
    for one in approvals:
        if verdict not in one.labels or one.answers.get(verdict):
            raise BadInput(f"{one.thread_id} cannot be answered with others; open it.")
        if one.id not in opened and (verdict == "approve" or not failed_rules(one.facts)):
            raise BadInput(f"{one.thread_id} was never opened; only a failed rule lets it be declined unseen.")


def alikeness(one: Approval, verdict: Verdict) -> tuple[str, Json, tuple[str, ...], tuple[str, ...]]:
    """Answer what has to be the same throughout a batch: step, rubric version, kinds of effects, reason."""
    kinds = tuple(sorted({choice.kind or "" for choice in one.choices if choice.verdict == verdict}))
    reason = failed_rules(one.facts) or (str(one.facts.get("band")),)
    return (f"{one.step} {one.kind}", one.basis.get("rubric"), kinds, reason)
