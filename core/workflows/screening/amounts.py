"""A notice period in weeks, from the ways people write one. Pure."""

from __future__ import annotations

import re

_NUMBERS = {
    **{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
    **{"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14},
    **{"fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30, "ninety": 90},
}
_WEEKS_IN = {"day": 1 / 7, "week": 1.0, "fortnight": 2.0, "month": 52 / 12, "year": 52.0}
_AMOUNT = rf"(\d{{1,3}}(?:\.\d+)?|{'|'.join(_NUMBERS)})"
_UNIT = r"[\s-]*(?:calendar |working |full )?(day|week|fortnight|month|year)s?\b"
_SPAN = rf"(?:{_AMOUNT}\s*(?:to|or|-|\u2013)\s*)?{_AMOUNT}{_UNIT}"
_DURATION = re.compile(rf"(?<![\w-]){_SPAN}", re.IGNORECASE)
_NOTICE = re.compile(
    rf"\bnotice\b(?:\s+period)?(?:\s+(?:is|of|currently|required))*\s*[:=\u2013-]?\s*(?P<after>{_SPAN})"
    rf"|(?<![\w-])(?P<before>{_SPAN})['\u2019]?s?\s+notice\b",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\b(no notice|notice(\s+period)?\s*[:=]\s*(none|nil|0)|immediate start)\b"
    r"|\b(available|can (start|join)) immediately\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(?:weeks?|w)?\.?", re.IGNORECASE)
_NONE = frozenset({"none", "nil", "immediate", "immediately", "no notice"})


def weeks_in_form(value: str) -> float | None:
    """Answer the weeks that a form field asking for weeks states, or None."""
    text = value.strip().lower()
    if text in _NONE:
        return 0.0
    bare = _BARE.fullmatch(text)
    if bare:
        return float(bare[1])
    if text in _NUMBERS:
        return float(_NUMBERS[text])
    spans = [_weeks(match) for match in _DURATION.finditer(text)]
    return max(spans) if spans and not text.startswith("-") else None


def weeks_in_text(line: str) -> float | None:
    """Answer the notice period that a line states, in weeks, or None where it states none."""
    if "notice" in line.lower():
        match = _NOTICE.search(line)
        if match:
            span = _DURATION.search(match["after"] or match["before"])
            return _weeks(span) if span else None
    return 0.0 if _AT_ONCE.search(line) else None


def _weeks(span: re.Match[str]) -> float:
    """Answer the longer end of a span: someone who may need six weeks needs six."""
    amount = span[2].lower()
    number = _NUMBERS.get(amount)
    return (float(amount) if number is None else number) * _WEEKS_IN[span[3].lower()]
