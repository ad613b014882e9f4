"""Puts a demo applicant's CV together: how strong it is for each criterion, and what it says of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.demo import lines
from core.demo.people import PRIYA_SHAH, Someone

T = TypeVar("T")
Strengths = tuple[int, int, int, int, int]

_LOW: tuple[Strengths, ...] = (
    (1, 1, 0, 0, 3), (0, 3, 1, 0, 3), (1, 1, 1, 1, 1), (3, 1, 1, 1, 3), (1, 3, 1, 3, 3), (0, 1, 0, 0, 1),
    (1, 3, 3, 0, 3), (0, 0, 0, 0, 3), (3, 3, 1, 1, 3), (1, 1, 3, 0, 5), (0, 3, 3, 1, 3), (0, 1, 1, 0, 0),
    (1, 3, 1, 1, 5),
)  # fmt: skip
_MIDDLE: tuple[Strengths, ...] = (
    (3, 3, 3, 3, 3), (3, 3, 3, 0, 3), (5, 3, 3, 1, 3), (3, 5, 3, 1, 3), (1, 5, 3, 3, 3), (3, 3, 5, 3, 3),
    (5, 3, 1, 1, 3), (3, 3, 3, 1, 5), (5, 5, 3, 1, 3), (3, 3, 1, 3, 3), (3, 1, 5, 3, 3), (1, 3, 3, 3, 5),
    (5, 1, 3, 0, 3), (3, 3, 5, 1, 5), (3, 5, 3, 3, 3), (0, 5, 3, 3, 5), (5, 3, 5, 0, 3),
)  # fmt: skip
_HIGH: tuple[Strengths, ...] = (
    (5, 5, 3, 3, 3), (5, 3, 5, 3, 3), (5, 5, 5, 3, 3), (3, 5, 5, 3, 3), (5, 3, 3, 5, 3), (5, 5, 3, 3, 5),
    (5, 5, 5, 5, 5), (3, 5, 5, 5, 3), (5, 5, 5, 1, 3), (3, 3, 5, 5, 5), (5, 3, 5, 3, 5), (5, 5, 5, 5, 3),
    (5, 3, 3, 3, 5),
)  # fmt: skip
_BANDS_IN_TURN = "MLHMMLMHMLMLHMMLHMLH"  # of twenty: six low, nine in the middle, five high

_NO = {
    19: ("right_to_work", "no"),
    63: ("right_to_work", "no"),
    130: ("right_to_work", "no"),
    44: ("notice_weeks", "26"),
    101: ("notice_weeks", "20"),
    88: ("portfolio", "no"),
}
_SPELLED = {"4": "four", "6": "six", "8": "eight", "12": "twelve"}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines under it."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class CV:
    """A CV before it is a file."""

    name: str
    contact: str
    sections: Sequence[Section]


def strengths_of(number: int) -> Strengths:
    """Answer how strong this applicant is for each of the five criteria."""
    if number == PRIYA_SHAH:
        return (3, 3, 3, 3, 3)
    turn, place = divmod(number, len(_BANDS_IN_TURN))
    band = _BANDS_IN_TURN[place]
    kinds = {"L": _LOW, "M": _MIDDLE, "H": _HIGH}[band]
    return kinds[(turn * _BANDS_IN_TURN.count(band) + _BANDS_IN_TURN[:place].count(band)) % len(kinds)]


def form_of(number: int, someone: Someone) -> Mapping[str, str]:
    """Answer what this applicant filled in; what is left out may stand in the CV, or nowhere."""
    answers = _answers(number, someone)
    form = {key: value for place, (key, value) in enumerate(answers.items()) if (number + place) % 4}
    return {**form, **dict([_NO[number]] if number in _NO else [])}


def cv_of(number: int, someone: Someone) -> CV:
    """Answer this applicant's CV."""
    led, craft, clients, teaches, plainly = strengths_of(number)
    experience = [
        *_experience(number),
        *_said(lines.LED, led, number),
        *_said(lines.CLIENTS, clients, number),
    ]
    sections = [
        Section("Profile", _said(lines.PLAINLY, plainly, number)),
        Section("Experience", [*experience, *_said(lines.TEACHES, teaches, number)]),
        Section("Selected work", _said(lines.CRAFT, craft, number)),
        Section("Education", [f"{_pick(lines.SCHOOLS, number)}, {2004 + number % 14}"]),
        Section("Practical", _practical(number, someone)),
    ]
    town = _pick(lines.TOWNS, number)
    contact = f"{someone.email} | {town}" if someone.email else town
    return CV(someone.name, contact, [section for section in sections if section.lines])


def cover_of(number: int, someone: Someone) -> str | None:
    """Answer the note that some send with their CV."""
    return _pick(lines.COVER_NOTES, number).format(name=someone.name) if number % 5 < 2 else None


def _answers(number: int, someone: Someone) -> dict[str, str]:
    page = someone.name.lower().split()[0].encode("ascii", "ignore").decode()
    return {
        "right_to_work": "yes",
        "portfolio": f"https://{page}{number}.example.org/work",
        "notice_weeks": _pick(("4", "8", "12", "6"), number),
    }


def _practical(number: int, someone: Someone) -> list[str]:
    """Answer in the CV what the form leaves out, except where nobody is told."""
    answers, form = _answers(number, someone), form_of(number, someone)
    told = {key: value for key, value in answers.items() if key not in form and number % 7 != 3}
    sentences = {
        "right_to_work": "I have the right to work in the UK.",
        "portfolio": f"Portfolio: {answers['portfolio']}",
        "notice_weeks": f"Notice period: {_SPELLED[answers['notice_weeks']]} weeks.",
    }
    return [sentences[key] for key in told]


def _experience(number: int) -> list[str]:
    """Answer two or three posts with work that speaks for no criterion."""
    posts = []
    until = 2026
    for post in range(2 + number % 2):
        since = until - 2 - (number + post) % 4
        posts.append(f"Designer, {_pick(lines.STUDIOS, number + 3 * post)}, {since} to {until}")
        posts.append(_pick(lines.NEUTRAL, number + 4 * post))
        until = since
    return posts


def _said(said: lines.Lines, strength: int, number: int) -> list[str]:
    ways = said.get(strength, ())
    if not ways:
        return []
    turn = number // 3 + number
    words = {
        "brand": _pick(lines.BRANDS, turn),
        "other": _pick(lines.BRANDS, turn + 5),
        "junior": _pick(lines.COLLEAGUES, turn),
        "second": _pick(lines.COLLEAGUES, turn + 4),
    }
    return [line.format(**words) for line in _pick(ways, turn)]


def _pick(things: Sequence[T], number: int) -> T:
    return things[number % len(things)]
