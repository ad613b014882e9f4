"""Finds a quote in visible text, word for word.

White space counts as one space wherever it stands, and a word hyphenated at a line's end is one word; nothing
else is forgiven. A quote begins and ends at a word's edge: "Go" is not in "Google".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SOFT_HYPHEN = "\u00ad"
_HYPHENS = ("-", "\u2010", _SOFT_HYPHEN)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote begins: its page and the line on that page, both from 1."""

    page: int
    line: int


class VisibleText:
    """The pages of one document, made ready for quotes to be looked up."""

    def __init__(self, pages: Sequence[str]) -> None:
        # A hyphen at a line's end may belong to the word (two-column) or to the line (quo-ted).
        self._readings = (_Reading(pages, keep_hyphens=True), _Reading(pages, keep_hyphens=False))

    def find(self, quote: str) -> Place | None:
        """Answer where the quote stands, or None."""
        wanted = _flat(quote)
        if not wanted:
            return None
        places = (reading.find(wanted) for reading in self._readings)
        return next((place for place in places if place is not None), None)


class _Reading:
    """All pages as one line of text, with the place at which each of their lines begins."""

    def __init__(self, pages: Sequence[str], *, keep_hyphens: bool) -> None:
        self._starts: list[int] = []
        self._places: list[Place] = []
        parts: list[str] = []
        length = 0
        for place, flat in _lines(pages):
            if parts and _is_hyphenated(parts[-1], flat):
                if not keep_hyphens or parts[-1][-1] == _SOFT_HYPHEN:
                    parts[-1] = parts[-1][:-1]
                    length -= 1
            elif parts:
                parts.append(" ")
                length += 1
            self._starts.append(length)
            self._places.append(place)
            parts.append(flat)
            length += len(flat)
        self._text = "".join(parts)

    def find(self, wanted: str) -> Place | None:
        """Answer the place of the first whole-word occurrence, or None."""
        at = self._text.find(wanted)
        while at >= 0:
            if _at_word_edges(self._text, at, at + len(wanted)):
                return self._places[bisect_right(self._starts, at) - 1]
            at = self._text.find(wanted, at + 1)
        return None


def _lines(pages: Sequence[str]) -> Iterator[tuple[Place, str]]:
    for page_number, page in enumerate(pages, 1):
        for line_number, line in enumerate(page.split("\n"), 1):
            flat = _flat(line)
            if flat:
                yield Place(page_number, line_number), flat


def _flat(text: str) -> str:
    return " ".join(text.split())


def _is_hyphenated(before: str, after: str) -> bool:
    return len(before) > 1 and before[-1] in _HYPHENS and before[-2].isalpha() and after[0].islower()


def _at_word_edges(text: str, start: int, end: int) -> bool:
    before = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    after = end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())
    return before and after
