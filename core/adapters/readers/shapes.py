"""Whether the letters that a PDF's fonts draw look like those that they are mapped to.

A font may say of its shapes whatever it likes, and the words that come of it may look like words. But b, d and l rise
above a line of small letters and g, p and y hang below it in every font, so a shape of another kind under such a letter
is a wrong letter. Fonts whose small letters are small capitals tell nothing, and neither do capitals and digits.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

import pypdfium2.raw as raw

_RISE = frozenset("bdfhkl")
_HANG = frozenset("gpqy")
_TOLD = _RISE | _HANG | frozenset("acemnorsuvwxz")
_MAY_HANG = frozenset("f")  # in italics
_MOST_PAGES, _MOST_A_PAGE = 3, 400
_FEWEST_LETTERS = 8
_LEAST_RISE = 1.15
_LEAST_HANG = 0.08
_FEWEST_WRONG, _LEAST_WRONG = 2, 0.025

# pdfium fills these in, under its lock.
_EDGES = tuple(ctypes.c_double() for _ in range(4))
_X, _Y = ctypes.c_double(), ctypes.c_double()


@dataclass(frozen=True, slots=True)
class Shape:
    """How far one letter reaches above and below its line, in parts of its size."""

    above: float
    below: float


@dataclass
class Shapes:
    """The letters looked at, by font and letter."""

    fonts: dict[int, dict[str, list[Shape]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    pages: int = 0

    def look_at(self, textpage: Any) -> None:
        """Look at some of a page's letters; of a long file the first pages speak for it."""
        if self.pages == _MOST_PAGES:
            return
        self.pages += 1
        count = raw.FPDFText_CountChars(textpage.raw)
        for number in range(0, count, -(-count // _MOST_A_PAGE) or 1):
            letter = chr(raw.FPDFText_GetUnicode(textpage.raw, number))
            if letter not in _TOLD or raw.FPDFText_GetCharAngle(textpage.raw, number) > 0.01:
                continue
            thing, shape = raw.FPDFText_GetTextObject(textpage.raw, number), _shape_of(textpage, number)
            if thing and shape is not None:
                font = ctypes.cast(raw.FPDFTextObj_GetFont(thing), ctypes.c_void_p).value or 0
                self.fonts[font][letter].append(shape)

    def are_wrong(self) -> bool:
        """Say whether several letters have the shape of others, and not in a stray place only."""
        seen, wrong, letters = 0, 0, set()
        for font in self.fonts.values():
            told = _wrong_in(font)
            seen += sum(map(len, font.values())) if told is not None else 0
            wrong += sum(len(font[letter]) for letter in told or ())
            letters |= set(told or ())
        return len(letters) >= _FEWEST_WRONG and wrong >= _LEAST_WRONG * seen


def _shape_of(textpage: Any, number: int) -> Shape | None:
    size = raw.FPDFText_GetFontSize(textpage.raw, number)
    has_box = raw.FPDFText_GetCharBox(textpage.raw, number, *_EDGES)
    if not has_box or size <= 0 or not raw.FPDFText_GetCharOrigin(textpage.raw, number, _X, _Y):
        return None
    _, _, bottom, top = (one.value for one in _EDGES)
    return Shape((top - _Y.value) / size, (_Y.value - bottom) / size)


def _wrong_in(font: Mapping[str, Sequence[Shape]]) -> list[str] | None:
    """Answer the letters of a font that have another one's shape; None where it does not tell."""
    if len(font) < _FEWEST_LETTERS:
        return None
    above = {letter: median(one.above for one in shapes) for letter, shapes in font.items()}
    below = {letter: median(one.below for one in shapes) for letter, shapes in font.items()}
    heights = sorted(above.values())
    high, low = mean(heights[-3:]), mean(heights[:3])
    if high < _LEAST_RISE * low:
        return None
    rises, hangs = (high + low) / 2, max(max(below.values()) / 2, _LEAST_HANG * high)
    return [
        letter
        for letter in font
        if (above[letter] > rises) != (letter in _RISE)
        or (letter not in _MAY_HANG and (below[letter] > hangs) != (letter in _HANG))
    ]
