"""Figures as exports write them. Which mark is the decimal one is found in the figures themselves. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from core.errors import BadInput

POINT, COMMA = ".", ","
_OTHER = {POINT: COMMA, COMMA: POINT}
_BLANK = frozenset({"", "-", "--", "\u2013", "\u2014", "n/a", "na", "null", "none"})
_UNSEEN = re.compile(r"[\s\u00a0\u202f\u2009\u2007'\u2019]")
_SIGN = r"(?:[A-Za-z]{1,3}|[$\u20ac\u00a3\u00a5])"
_AROUND = re.compile(rf"^{_SIGN}|{_SIGN}$")
_FIGURE = re.compile(r"[+-]?[\d.,]*\d[\d.,]*")


def find_decimal(cells: Iterable[str], default: str) -> str:
    """Answer the decimal mark that these figures are written with; raises BadInput where two are in use.

    A figure such as 1,020 tells nothing by itself. Where none tells anything it is the default.
    """
    told: dict[str, str] = {}
    for cell in cells:
        mark = _told_by(_bare(cell))
        if mark is not None:
            told.setdefault(mark, cell.strip())
    if len(told) == 2:
        raise BadInput(
            f"Figures are written in two ways, {told[POINT]} and {told[COMMA]}; say which mark is the decimal one."
        )
    return next(iter(told), default)


def _told_by(figure: str) -> str | None:
    marks = [character for character in figure if character in _OTHER]
    if not marks or not _FIGURE.fullmatch(figure):
        return None
    if len(set(marks)) == 2:
        return marks[-1]
    if len(marks) > 1:
        return _OTHER[marks[0]]
    before, after = figure.lstrip("+-").split(marks[0])
    return None if len(after) == 3 and 0 < len(before) <= 3 and before != "0" else marks[0]


def read_figure(cell: str, decimal: str) -> Decimal | None:
    """Answer a figure exactly, or None for a blank one; raises BadInput for what is no figure."""
    if cell.strip().casefold() in _BLANK:
        return None
    figure = _bare(cell)
    is_negative = figure.startswith("(") and figure.endswith(")")
    plain = figure.strip("()").replace(_OTHER[decimal], "").replace(decimal, POINT)
    try:
        value = Decimal(plain)
    except InvalidOperation as error:
        raise BadInput(f"{cell.strip()[:40]!r} is no figure.") from error
    if not value.is_finite():
        raise BadInput(f"{cell.strip()[:40]!r} is no figure.")
    return -value if is_negative else value


def _bare(cell: str) -> str:
    """Leave out blanks between digits, and the currency's sign around them."""
    return _AROUND.sub("", _UNSEEN.sub("", cell))


def say(value: Decimal) -> str:
    """Write an amount with two decimals at least, and every decimal it has."""
    text = format(value.normalize(), "f")
    whole, _, decimals = text.partition(POINT)
    return f"{whole}.{decimals.ljust(2, '0')}"
