"""What a role is made of, whichever layout it was written in, and the checks both layouts share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import BadInput

DATA = Path(__file__).resolve().parents[2] / "data"

PROPOSALS = ("decline", "review", "invite")
NO_CRITERIA = "{} states no criteria, so the general rubric is used."
SETTINGS: dict[str, int | None] = {
    "question_due_hours": 48,
    "window_hours": 48,
    "reminder_hours": 24,
    "hold_seconds": None,
}

_NUMBERS = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9},
    **{"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "sixteen": 16, "twenty": 20},
}
_WEEKS = re.compile(r"\b(\d{1,3}|[a-z]+)\s+weeks?\b", re.IGNORECASE)
_LINK_FILLER = frozenset({"link", "links", "url", "present", "given", "stated", "a", "an", "the", "to", "is"})
_LINK = re.compile(r"\b(link|portfolio|url|website)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion with the texts of its anchors by points."""

    number: int
    title: str
    anchors: dict[int, str]

    @property
    def maximum(self) -> int:
        """The most points it gives: its highest anchor."""
        return max(self.anchors)


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of totals and what is proposed there. `high` None means up to the maximum."""

    low: int
    high: int | None
    proposal: str


@dataclass(frozen=True, slots=True)
class RoleParts:
    """A role as understood from its text, before it is checked."""

    id: str
    title: str
    description: str
    criteria: tuple[Criterion, ...]
    bands: tuple[Band, ...]
    bands_line: int
    rules: tuple[dict[str, Any], ...] = ()
    notes: str = ""
    settings: dict[str, int | None] = field(default_factory=dict)
    letters: dict[str, dict[str, str]] = field(default_factory=dict)
    booking: dict[str, Any] | None = None
    noticed: tuple[str, ...] = ()


def malformed(file_name: str, line: int, what: str) -> BadInput:
    """Build the one sentence that says where a role file is wrong."""
    return BadInput(f"{file_name}, line {line}: {what}.")


def read_rule(title: str) -> dict[str, Any]:
    """Answer the rule that a short title states: a limit in weeks, a link, or a yes or no."""
    weeks = _weeks(title)
    if weeks is not None:
        return _rule(title, "notice_weeks", "at_most_weeks", weeks)
    if _LINK.search(title):
        words = [word for word in re.findall(r"[a-z]+", title.lower()) if word not in _LINK_FILLER]
        return _rule(title, "_".join(words) or "link", "link", None)
    right_to_work = re.search(r"\bright to work\b", title, re.IGNORECASE)
    return _rule(title, "right_to_work" if right_to_work else slug(title, "_"), "yes_no", None)


def _rule(title: str, form_key: str, kind: str, limit: int | None) -> dict[str, Any]:
    return {"id": form_key, "title": title, "form_key": form_key, "kind": kind, "limit": limit}


def _weeks(title: str) -> int | None:
    for match in _WEEKS.finditer(title):
        word = match[1].lower()
        if word.isdigit() or word in _NUMBERS:
            return _NUMBERS.get(word) or int(word)
    return None


def slug(text: str, joint: str = "-") -> str:
    """Answer the words of a text as a readable key of at most forty characters."""
    return joint.join(re.findall(r"[a-z0-9]+", text.lower()))[:40].strip(joint)


def check_bands(bands: Sequence[Band], maximum: int, file_name: str, line: int) -> tuple[Band, ...]:
    """Answer the bands lowest first with the open end filled in, or say where they leave a gap."""
    ordered = sorted(bands, key=lambda band: band.low)
    filled = tuple(Band(b.low, maximum if b.high is None else b.high, b.proposal) for b in ordered)
    expected = 0
    for band in filled:
        if band.low != expected or band.high is None or band.high < band.low:
            raise malformed(file_name, line, f"the bands leave {expected} without exactly one band")
        expected = band.high + 1
    if expected != maximum + 1:
        what = f"the bands end at {expected - 1} and the criteria add up to {maximum}"
        raise malformed(file_name, line, what)
    return filled
