"""What a screening thread keeps, and until when: decisions and references, never a copy of a file.

Every field but the first three has a default, so that a thread stays readable after a rule took its fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.steps import Kind, Rule, kept

_SIX_MONTHS = kept(Rule.CLOSE_6_MONTHS)
_SCORED = kept(Rule.CLOSE_6_MONTHS, under="rubric_version")
_ROLE_CLOSE = kept(Rule.ROLE_CLOSE)
_INPUT = kept(Rule.CLOSE_6_MONTHS, kind=Kind.INPUT)


class Answer(StrEnum):
    """What an application says to a rule."""

    YES = "yes"
    NO = "no"
    NOT_STATED = "not_stated"


class Proposal(StrEnum):
    """What the band proposes to the person; it decides nothing."""

    DECLINE = "decline"
    REVIEW = "review"
    INVITE = "invite"


@dataclass(frozen=True, slots=True)
class HiddenPiece:
    """A piece of text in a file that nobody can see, cut to what a reviewer needs."""

    text: str
    where: str
    why: str


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A rule's answer and where it was read: `form`, `cv`, `cover`, or nowhere."""

    id: str
    title: str
    answer: Answer
    source: str = ""
    quote: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """A criterion's points and the line they rest on. `note` says why points were not given."""

    number: int
    title: str
    score: int
    maximum: int
    quote: str = ""
    source: str = ""
    page: int | None = None
    line: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecallLine:
    """One memory as it was read: its id and version, and its one line."""

    id: str
    version: int
    text: str
    source: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of totals, both ends in it, and what is proposed there."""

    low: int
    high: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a file ends that is too long to go whole: after so many pages, or so many lines of its first page."""

    source: str
    pages: int
    lines: int
    page_count: int
    line_count: int = 0


@dataclass(frozen=True, slots=True)
class Screening:
    """The state of one applicant's thread."""

    cv_ref: str = field(metadata=_INPUT)
    cover_ref: str | None = field(metadata=_INPUT)
    applied_at: datetime = field(metadata=_INPUT)

    page_count: int = field(default=0, metadata=_SIX_MONTHS)
    doubts: tuple[str, ...] = field(default=(), metadata=_SIX_MONTHS)
    by_ocr: tuple[str, ...] = field(default=(), metadata=_SIX_MONTHS)
    hidden_count: int = field(default=0, metadata=_SIX_MONTHS)
    hidden: tuple[HiddenPiece, ...] = field(default=(), metadata=_SIX_MONTHS)

    rule_results: tuple[RuleResult, ...] = field(default=(), metadata=_SIX_MONTHS)
    recall: RecallLine | None = field(default=None, metadata=kept(Rule.CLOSE_6_MONTHS, kind=Kind.RECALL))
    override: RecallLine | None = field(default=None, metadata=kept(Rule.NEXT_RUBRIC, kind=Kind.RECALL))

    rubric_version: int | None = field(default=None, metadata=_SCORED)
    scores: tuple[CriterionScore, ...] = field(default=(), metadata=_SCORED)
    scored_by: str = field(default="", metadata=_SCORED)
    unscored: str = field(default="", metadata=_SCORED)

    cuts: tuple[Cut, ...] = field(default=(), metadata=_SIX_MONTHS)
    cut_verdict: str = field(default="", metadata=_SIX_MONTHS)
    left_out: str = field(default="", metadata=_SIX_MONTHS)

    total: int | None = field(default=None, metadata=_SCORED)
    max_total: int | None = field(default=None, metadata=_SCORED)
    band: Band | None = field(default=None, metadata=_SCORED)
    proposal: Proposal | None = field(default=None, metadata=_SCORED)

    verdict: str | None = field(default=None, metadata=_SIX_MONTHS)
    decided_at: datetime | None = field(default=None, metadata=_SIX_MONTHS)

    invite_key: str | None = field(default=None, metadata=_ROLE_CLOSE)
    sent_at: datetime | None = field(default=None, metadata=_ROLE_CLOSE)
    deadline: datetime | None = field(default=None, metadata=_ROLE_CLOSE)
    reminder_sent: bool = field(default=False, metadata=_ROLE_CLOSE)
    invite_number: int = field(default=1, metadata=_ROLE_CLOSE)
    came_back: bool = field(default=False, metadata=_ROLE_CLOSE)
    retracting: bool = field(default=False, metadata=_ROLE_CLOSE)
    resending: bool = field(default=False, metadata=_ROLE_CLOSE)
    resent: int = field(default=0, metadata=_ROLE_CLOSE)

    slot: datetime | None = field(default=None, metadata=_SIX_MONTHS)
