"""When nobody can see a piece of text, for every format alike: not painted, too small, or as the ground behind it."""

from __future__ import annotations

import re

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
SMALLEST_POINTS = 2.0

NOT_PAINTED = "not painted"
OUTSIDE = "outside the page"
CLIPPED = "cut off by the page's own drawing"
HIDDEN_FONT = "hidden font"
TINY = "smaller than two points"
LOST = "in the colour of the page behind it"
NO_FORM = "in characters that nobody sees"
COMMENT = "a comment"
NO_PAGE = "on no page"
PROPERTIES = "the file's properties"

_SAME_COLOUR_WITHIN = 24
_HEX = re.compile(r"#?([0-9a-f]{6})(?:[0-9a-f]{2})?", re.IGNORECASE | re.ASCII)
_SHORT_HEX = re.compile(r"#([0-9a-f]{3})[0-9a-f]?", re.IGNORECASE | re.ASCII)
_PARTS = re.compile(r"rgba?\(\s*(\d{1,3})\W+(\d{1,3})\W+(\d{1,3})\b.*\)", re.IGNORECASE | re.ASCII)
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "black": (0, 0, 0),
}


def is_lost(colour: Colour | None, ground: Colour | None) -> bool:
    """Say whether text of this colour cannot be told from the ground; an unknown colour is not lost."""
    if colour is None or ground is None:
        return False
    return all(abs(a - b) <= _SAME_COLOUR_WITHIN for a, b in zip(ground, colour, strict=True))


def colour_of(text: str) -> Colour | None:
    """Answer a colour written as #rrggbb, #rgb, rgb(…) or by one of the names that hide text; else None."""
    text = text.strip().lower()
    if found := _HEX.fullmatch(text):
        return int(found[1][:2], 16), int(found[1][2:4], 16), int(found[1][4:], 16)
    if found := _SHORT_HEX.fullmatch(text):
        red, green, blue = (int(digit * 2, 16) for digit in found[1])
        return red, green, blue
    if found := _PARTS.fullmatch(text):
        red, green, blue = (min(int(part), 255) for part in found.groups())
        return red, green, blue
    return _NAMED.get(text)
