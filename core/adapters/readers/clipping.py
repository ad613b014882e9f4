"""How far a thing on a PDF page is let through: the box around the paths that clip it. Nobody sees what is outside."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as raw

from core.adapters.readers.places import Box, Matrix, around

EVERYWHERE = Box(-1e9, -1e9, 1e9, 1e9)
NOWHERE = Box(0, 0, 0, 0)

_X, _Y = ctypes.c_float(), ctypes.c_float()
_MOST_PATHS, _MOST_SEGMENTS = 64, 2_000


def clip_of(thing: Any, form: Matrix, clip: Box) -> Box:
    """Answer where on the page a thing is painted, inside of `clip`; a path counts as the box around it."""
    path = raw.FPDFPageObj_GetClipPath(thing)
    if not path:
        return clip
    for number in range(min(raw.FPDFClipPath_CountPaths(path), _MOST_PATHS)):
        clip = clip.within(_around_path(path, number, form))
    return clip


def _around_path(path: Any, number: int, form: Matrix) -> Box:
    count = raw.FPDFClipPath_CountPathSegments(path, number)
    if not 0 <= count <= _MOST_SEGMENTS:  # a drawing; it hides nothing that is written
        return EVERYWHERE
    points = []
    for place in range(count):
        segment = raw.FPDFClipPath_GetPathSegment(path, number, place)
        if segment and raw.FPDFPathSegment_GetPoint(segment, _X, _Y):
            points.append((_X.value, _Y.value))
    return around(points, form) if points else NOWHERE
