"""What is on a PDF page, in painting order, with each thing's place on the page: pdfium's account of it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as raw

from core.adapters.readers.clipping import EVERYWHERE, clip_of
from core.adapters.readers.looks import Colour
from core.adapters.readers.places import NOT_MOVED, Box, Matrix, around, times
from core.adapters.readers.rings import Ring, is_filled_at, rings_of

_DEEPEST_FORM = 12

# pdfium fills these in: made once, because a page has thousands of things. Whoever calls holds pdfium's lock.
_SIZE = ctypes.c_float()
_EDGES = tuple(ctypes.c_float() for _ in range(4))
_RGBA = tuple(ctypes.c_uint() for _ in range(4))
_MATRIX = raw.FS_MATRIX()


@dataclass(frozen=True, slots=True)
class Painted:
    """One thing on the page; `colour` is None where it has many, `opaque` where it is a plain filled box."""

    box: Box
    colour: Colour | None
    opaque: bool
    rings: tuple[Ring, ...] = ()
    alternates: bool = False

    def lies_under(self, other: Box) -> bool:
        """Say whether the middle of the other was painted by this, if this came before it."""
        if not self.box.holds(other):
            return False
        return not self.rings or is_filled_at(self.rings, other, alternates=self.alternates)


@dataclass(frozen=True, slots=True)
class Text:
    """One run of text: pdfium's address of it, how many things were painted before it, and where it is let through."""

    address: int
    box: Box
    points: float
    render_mode: int
    colour: Colour | None
    alpha: int
    order: int
    layer: str | None = None
    clip: Box = EVERYWHERE


def inventory(page: Any, *, with_layers: bool = False) -> tuple[list[Text], list[Painted]]:
    """Answer the runs of text and everything else that is painted, each in painting order.

    The layers that text lies on are looked up only where they are asked for: it takes a third of the time.
    """
    texts: list[Text] = []
    painted: list[Painted] = []
    for thing, form, clip in _things(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject):
        match raw.FPDFPageObj_GetType(thing):
            case raw.FPDF_PAGEOBJ_TEXT:
                layer = _layer(thing) if with_layers else None
                texts.append(_text(thing, form, len(painted), layer, clip_of(thing, form, clip)))
            case raw.FPDF_PAGEOBJ_PATH:
                painted.extend(_filled_path(thing, form))
            case raw.FPDF_PAGEOBJ_IMAGE | raw.FPDF_PAGEOBJ_SHADING:
                painted.append(Painted(_box(thing, form), None, opaque=False))
            case _:
                pass
    return texts, painted


def _things(
    holder: Any, count: Any, get: Any, form: Matrix = NOT_MOVED, clip: Box = EVERYWHERE, depth: int = 0
) -> Iterator[tuple[Any, Matrix, Box]]:
    """Yield everything painted, with the matrix that places it on the page and the box that its form is clipped to."""
    for number in range(count(holder)):
        thing = get(holder, number)
        yield thing, form, clip
        if raw.FPDFPageObj_GetType(thing) == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
            inner, within = times(_matrix(thing), form), clip_of(thing, form, clip)
            yield from _things(thing, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject, inner, within, depth + 1)


def _text(thing: Any, form: Matrix, order: int, layer: str | None, clip: Box) -> Text:
    raw.FPDFTextObj_GetFontSize(thing, _SIZE)
    a, b, c, d, _, _ = times(_matrix(thing), form)
    colour, alpha = _fill(thing)
    return Text(
        address=address_of(thing),
        box=_box(thing, form),
        points=abs(_SIZE.value) * abs(a * d - b * c) ** 0.5,
        render_mode=raw.FPDFTextObj_GetTextRenderMode(thing),
        colour=colour,
        alpha=alpha,
        order=order,
        layer=layer,
        clip=clip,
    )


def _layer(thing: Any) -> str | None:
    """Answer the name of the layer that the thing lies on, if it lies on one."""
    for number in range(raw.FPDFPageObj_CountMarks(thing)):
        mark = raw.FPDFPageObj_GetMark(thing, number)
        if _read_wide(lambda room, size, used: raw.FPDFPageObjMark_GetName(mark, room, size, used)) == "OC":  # noqa: B023
            return _read_wide(
                lambda room, size, used: raw.FPDFPageObjMark_GetParamStringValue(mark, b"Name", room, size, used)  # noqa: B023
            )
    return None


def _read_wide(ask: Callable[[Any, int, Any], int]) -> str | None:
    room, used = ctypes.create_string_buffer(512), ctypes.c_ulong()
    if not ask(ctypes.cast(room, ctypes.POINTER(ctypes.c_ushort)), 512, used) or used.value > 512:
        return None
    return room.raw[: used.value].decode("utf-16-le", errors="replace").rstrip("\0")


def _filled_path(thing: Any, form: Matrix) -> Iterator[Painted]:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(thing, fill, stroke)
    if fill.value == raw.FPDF_FILLMODE_NONE:
        return
    colour, alpha = _fill(thing)
    box = _box(thing, form)
    if alpha and not box.is_a_line:
        plain = raw.FPDFPath_CountSegments(thing) <= 6 and not (form[1] or form[2])
        opaque = plain and alpha == 255 and colour is not None
        rings = rings_of(thing, times(_matrix(thing), form))
        yield Painted(box, colour, opaque, rings, fill.value == raw.FPDF_FILLMODE_ALTERNATE)


def _fill(thing: Any) -> tuple[Colour | None, int]:
    if not raw.FPDFPageObj_GetFillColor(thing, *_RGBA):
        return None, 255
    red, green, blue, alpha = _RGBA
    return (red.value, green.value, blue.value), alpha.value


def _box(thing: Any, form: Matrix) -> Box:
    raw.FPDFPageObj_GetBounds(thing, *_EDGES)
    left, bottom, right, top = (edge.value for edge in _EDGES)
    if form == NOT_MOVED:
        return Box(left, bottom, right, top)
    return around([(x, y) for x in (left, right) for y in (bottom, top)], form)


def _matrix(thing: Any) -> Matrix:
    raw.FPDFPageObj_GetMatrix(thing, _MATRIX)
    return _MATRIX.a, _MATRIX.b, _MATRIX.c, _MATRIX.d, _MATRIX.e, _MATRIX.f


def address_of(thing: Any) -> int:
    """Answer where pdfium keeps this thing, which is how it is known again."""
    return ctypes.cast(thing, ctypes.c_void_p).value or 0
