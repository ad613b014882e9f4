"""How much one line shows for one criterion, 0 to 5, from its cues alone.

The levels follow the anchors such rubrics have: 1 helped or was present, 3 did a part or one, 5 the whole
with its result, its reasons or its rhythm. A line is weighed by itself, so that taking one away changes
nothing for another criterion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.adapters.practice_cues import Criterion, sign_bits

_BITS = sign_bits()
HELPED, PART, WHOLE, RESULT = (_BITS[name] for name in ("helped", "part", "whole", "result"))
BEGIN, FINISH, MADE, REASON = (_BITS[name] for name in ("begin", "finish", "made", "reason"))
REGULAR, INFORMAL, LISTED = (_BITS[name] for name in ("regular", "informal", "listed"))
PRESENT, ATTEND, RELATION, DEALT = (_BITS[name] for name in ("present", "attend", "relation", "dealt"))
TEACH, TEACH_WITH, SELF = (_BITS[name] for name in ("teach", "teach_with", "self"))
LEARNER, GROUP = (_BITS[name] for name in ("learner", "group"))
WRITE, PLAIN, JARGON, TITLE, SUSPECT = (_BITS[name] for name in ("write", "plain", "jargon", "title", "suspect"))
DOING = HELPED | MADE | PRESENT | ATTEND | DEALT | TEACH | TEACH_WITH | WRITE | WHOLE

_DESCRIBED_WORDS = 6
_BRIEF_WORDS = 14
_CLEAR_WORDS = 36
_PROSE_WORDS = 5
_FIRST_PERSON = frozenset({"i", "my", "we"})
_WEEKDAYS = frozenset({"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Mondays", "Fridays"})
_TITLE_WORDS = 6


class Line(NamedTuple):
    """One line of visible text with its words and the bits they add up to."""

    text: str
    words: tuple[str, ...]
    bits: int


def level(criterion: Criterion, line: Line, first_bits: int) -> int:
    """Answer what the line shows for the criterion, 0 to 5."""
    if is_job_title(line, first_bits):
        return 0
    return _LEVELS[criterion.theme](line, line.bits & criterion.topic)


def is_job_title(line: Line, first_bits: int) -> bool:
    """Say whether the line names a post ("Lead designer, Northbank, 2019 to 2022") and tells of no act."""
    if not line.bits & TITLE or line.text.endswith("."):
        return False
    acts = first_bits & DOING and line.words[0] not in ("lead", "head")
    dated = any(len(word) == 4 and word.isdigit() for word in line.words)
    return not acts and (dated or len(line.words) <= _TITLE_WORDS)


def sentence_level(line: Line) -> int:
    """Answer how plainly a line of prose is written: 5 clear and brief, 1 hard to follow, 0 no prose."""
    text = line.text
    if len(line.words) < _PROSE_WORDS or not (text[:1].isupper() and text.endswith((".", "!", "?"))):
        return 0
    if "@" in text or "://" in text:
        return 0
    words_each = len(line.words) / sentence_count(text)
    if line.bits & JARGON or words_each > _CLEAR_WORDS:
        return 1
    if words_each > _BRIEF_WORDS:
        return 3
    return 5 if is_own_prose(line) else 2


def sentence_count(text: str) -> int:
    """Answer how many sentences a line of prose has, at least one."""
    return max(1, text.count(". ") + text.count("! ") + text.count("? ") + text.endswith((".", "!", "?")))


def is_own_prose(line: Line) -> bool:
    """Say whether the line speaks of its writer as one: a list of duties shows less of how someone writes."""
    return not _FIRST_PERSON.isdisjoint(line.words) or bool(line.bits & WRITE)


def _lead(line: Line, about: int) -> int:
    bits = line.bits
    to_launch = bits & BEGIN and bits & FINISH
    if not (about or to_launch) or not bits & DOING:
        return 0
    if bits & HELPED:
        return 1
    end_to_end = bool(to_launch) or "end to end" in line.text.replace("-", " ")
    if not (bits & WHOLE or end_to_end):
        part = bits & (MADE | DEALT) and not bits & JARGON
        return (3 if bits & RESULT else 1) if part else 0
    return 3 if bits & PART else 3 + end_to_end + bool(bits & RESULT)


def _clients(line: Line, about: int) -> int:
    bits = line.bits
    if not about or bits & HELPED:
        return int(bool(about and bits & HELPED))
    if "present in" in line.text.lower() or "present at" in line.text.lower():
        return 1
    if (bits & RELATION and bits & WHOLE) or "contact" in line.words:
        return 5
    if bits & PRESENT or (bits & RELATION and bits & (MADE | DEALT)):
        return 4 if bits & WHOLE else 3
    return 2 if bits & (DEALT | WHOLE) else int(bool(bits & ATTEND))


def _teach(line: Line, _: int) -> int:
    bits = line.bits
    # To lead a team is not to teach it; to lead, help or review a junior is.
    with_learner = bits & LEARNER and bits & (TEACH_WITH | WHOLE | HELPED)
    with_group = bits & TEACH_WITH and (bits & GROUP or (bits & REGULAR and _names_someone(line)))
    if bits & SELF or not (bits & TEACH or with_learner or with_group):
        return 0
    if bits & REGULAR:
        return 4 + _names_someone(line)
    if bits & INFORMAL or (not bits & TEACH and bits & HELPED):
        return 1
    return 3 if bits & (LEARNER | GROUP) or _names_someone(line) else 2


def _names_someone(line: Line) -> bool:
    later = [word.rstrip(".,;:") for word in line.text.split()[1:]]
    return any(word[:1].isupper() and word[1:2].islower() and word not in _WEEKDAYS for word in later)


def _craft(line: Line, about: int) -> int:
    bits, text = line.bits, line.text
    reasoned = bits & REASON and (bits & MADE or ": " in text)
    if not reasoned and (not about or bits & HELPED or is_own_prose(line)):
        return 0
    named = any(mark in text for mark in (": ", " - ", " \u2013 ")) and not bits & LISTED
    if (bits & MADE or named) and len(line.words) >= _DESCRIBED_WORDS:
        return 4 if reasoned else 2
    enumerated = text.count(",") + text.count(";") > 1
    return int(enumerated or bool(bits & (LISTED | MADE)))


def _writing(line: Line, _: int) -> int:
    if not line.bits & WRITE or line.bits & JARGON:
        return int(bool(line.bits & WRITE))
    return 5 if line.bits & PLAIN else 3


def _topic(line: Line, about: int) -> int:
    bits = line.bits
    if not about:
        return 0
    if bits & HELPED:
        return 1
    if bits & WHOLE:
        return 4 + bool(bits & RESULT)
    return 3 if bits & (MADE | DEALT | PRESENT | TEACH | WRITE) or "years" in line.words else 1


_LEVELS: dict[str, Callable[[Line, int], int]] = {
    "lead": _lead,
    "clients": _clients,
    "teach": _teach,
    "craft": _craft,
    "writing": _writing,
    "topic": _topic,
}
