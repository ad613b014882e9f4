"""The closed lines that a filled path on a PDF page is made of: a frame is filled between two of them, not within."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as raw

from core.adapters.readers.places import Box, Matrix, around

_X, _Y = ctypes.c_float(), ctypes.c_float()
_PLAIN, _MOST_SEGMENTS = 6, 400
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ring:
    """The box around one closed line, and which way it turns: 1 or -1."""

    box: Box
    turn: int


def rings_of(path: Any, place: Matrix) -> tuple[Ring, ...]:
    """Answer a path's closed lines where there are several; of a plain or a very long path none are looked up."""
    count = raw.FPDFPath_CountSegments(path)
    if not _PLAIN < count <= _MOST_SEGMENTS:
        return ()
    found = tuple(Ring(around(line, place), _turn_of(line)) for line in _lines(path, count) if len(line) > 2)
    return found if len(found) > 1 else ()


def is_filled_at(rings: tuple[Ring, ...], box: Box, *, alternates: bool) -> bool:
    """Say whether the middle of a box is painted, by the rule that the path is filled by."""
    turns = [ring.turn for ring in rings if ring.box.holds(box)]
    return len(turns) % 2 == 1 if alternates else sum(turns) != 0


def _lines(path: Any, count: int) -> Iterator[list[Point]]:
    line: list[Point] = []
    for number in range(count):
        segment = raw.FPDFPath_GetPathSegment(path, number)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO:
            yield line
            line = []
        if raw.FPDFPathSegment_GetPoint(segment, _X, _Y):
            line.append((_X.value, _Y.value))
    yield line


def _turn_of(line: list[Point]) -> int:
    pairs = zip(line, [*line[1:], line[0]], strict=True)
    return 1 if sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairs) >= 0 else -1
