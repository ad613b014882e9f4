"""What lies behind and over a place of a PDF page, found without looking at everything that is painted on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.adapters.readers.looks import WHITE, Colour
from core.adapters.readers.painting import Painted
from core.adapters.readers.places import Box

_CELL = 48.0


class Grounds:
    """All that is painted on one page, by the squares that it touches; each with its place in painting order."""

    def __init__(self, painted: Sequence[Painted], sheet: Box) -> None:
        self._sheet = sheet
        self._squares: dict[tuple[int, int], list[tuple[int, Painted]]] = defaultdict(list)
        for order, one in enumerate(painted):
            for square in self._squares_of(one.box):
                self._squares[square].append((order, one))

    def behind(self, box: Box, order: int) -> Colour | None:
        """Answer the colour last painted at the middle of the box before this order: white where nothing was."""
        for place, under in reversed(self._at(box)):
            if place < order and under.lies_under(box):
                return under.colour
        return WHITE

    def is_covered(self, box: Box, order: int) -> bool:
        """Say whether something opaque painted from this order on lies over all of the box."""
        return any(place >= order and over.opaque and over.box.covers(box) for place, over in self._at(box))

    def _at(self, box: Box) -> list[tuple[int, Painted]]:
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        return self._squares.get((int(x // _CELL), int(y // _CELL)), [])

    def _squares_of(self, box: Box) -> Iterator[tuple[int, int]]:
        slack = 1.0  # a box covers what reaches one point beyond it
        left, right = max(box.left, self._sheet.left) - slack, min(box.right, self._sheet.right) + slack
        bottom, top = max(box.bottom, self._sheet.bottom) - slack, min(box.top, self._sheet.top) + slack
        for across in range(int(left // _CELL), int(right // _CELL) + 1):
            for up in range(int(bottom // _CELL), int(top // _CELL) + 1):
                yield across, up
