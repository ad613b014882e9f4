"""Finds two columns whose lines a PDF writes across the page, so that each column can be read by itself.

A column stands in rows beside another one, its lines begin at one place, and both sides hold words: dates and places
set at the right edge of a line begin anywhere, and belong to their line.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.adapters.readers.painting import Text
from core.adapters.readers.places import Box

ORDER_DOUBT = "Lines of this file run across two columns; the reading order was put right by their places, so check it."

_ROW_WITHIN = 3.0
_GAP = 14.0
_EDGE_WITHIN = 3.0
_FEWEST_ROWS = 5
_FEWEST_SWITCHES = 8
_FEWEST_LETTERS = 0.5


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the right column begins, and between which heights both stand side by side."""

    edge: float
    bottom: float
    top: float

    def side_of(self, box: Box) -> int:
        """Answer 1 for the left column, 2 for the right one, 0 for what is in neither."""
        middle = (box.bottom + box.top) / 2
        if not self.bottom - _ROW_WITHIN <= middle <= self.top + _ROW_WITHIN:
            return 0
        if box.left >= self.edge - _EDGE_WITHIN:
            return 2
        return 1 if box.right <= self.edge else 0


def find_columns(texts: Sequence[Text]) -> Columns | None:
    """Answer the two columns of a page whose lines are written in turn, or None where there is no such thing."""
    rows = [cells for cells in _rows(text.box for text in texts) if len(cells) > 1]
    edges = Counter(round(cell.left / _EDGE_WITHIN) for cells in rows for cell in cells[1:])
    if not edges:
        return None
    likeliest, _ = edges.most_common(1)[0]
    edge = likeliest * _EDGE_WITHIN
    beside = [cells for cells in rows if _parts_at(cells, edge)]
    if len(beside) < _FEWEST_ROWS or len(beside) * 3 < len(rows) * 2:
        return None
    bottom, top = min(cells[0].bottom for cells in beside), max(cells[0].top for cells in beside)
    columns = Columns(edge, bottom, top)
    sides = [side for text in texts if (side := columns.side_of(text.box))]
    switches = sum(one != other for one, other in pairwise(sides))
    return columns if switches >= _FEWEST_SWITCHES else None


def hold_words(columns: Columns, texts: Mapping[int, str], boxes: Iterable[Text]) -> bool:
    """Say whether both columns are words: a column of dates or amounts belongs to the lines beside it."""
    written: dict[int, str] = defaultdict(str)
    for text in boxes:
        written[columns.side_of(text.box)] += texts.get(text.address, "")
    for side in (1, 2):
        signs = [one for one in written[side] if not one.isspace()]
        if sum(one.isalpha() for one in signs) < _FEWEST_LETTERS * len(signs) or not signs:
            return False
    return True


def _parts_at(cells: Sequence[Box], edge: float) -> bool:
    begins = any(abs(cell.left - edge) <= _EDGE_WITHIN for cell in cells[1:])
    return begins and all(cell.right <= edge or cell.left >= edge - _EDGE_WITHIN for cell in cells)


def _rows(boxes: Iterable[Box]) -> Iterator[list[Box]]:
    """Yield each row of the page as the stretches of it that stand apart."""
    row: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box.bottom + box.top) / 2):
        if row and abs((box.bottom + box.top) - (row[-1].bottom + row[-1].top)) / 2 > _ROW_WITHIN:
            yield _cells(row)
            row = []
        row.append(box)
    if row:
        yield _cells(row)


def _cells(row: Sequence[Box]) -> list[Box]:
    cells: list[Box] = []
    for box in sorted(row, key=lambda box: box.left):
        if cells and box.left - cells[-1].right < _GAP:
            last = cells[-1]
            cells[-1] = Box(last.left, min(last.bottom, box.bottom), max(last.right, box.right), max(last.top, box.top))
        else:
            cells.append(box)
    return cells
