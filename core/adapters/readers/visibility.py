"""Says what on a PDF page nobody can see, by pdfium's account of what is painted, in painting order.

Text is hidden when it is not painted at all, is painted in the colour of what lies behind it, is smaller
than two points, lies outside the page, or lies under a box painted after it. White text on a dark bar is
seen by everyone and is not hidden. What lies behind a picture's colours is not looked at.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from core.adapters.readers.characters import clean
from core.adapters.readers.kinds import DAMAGED, PASSWORD
from core.errors import UnreadableFile

Colour = tuple[int, int, int]
Matrix = tuple[float, float, float, float, float, float]

_SMALLEST_POINTS = 2.0
_SAME_COLOUR_WITHIN = 24
_DEEPEST_FORM = 12
_WHITE: Colour = (255, 255, 255)
_UNPAINTED = {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}
_FILLED = {
    raw.FPDF_TEXTRENDERMODE_FILL,
    raw.FPDF_TEXTRENDERMODE_FILL_CLIP,
}

# pdfium is not made for threads: one call at a time in a process.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True)
class Character:
    """One character as pdfium reads it, and why nobody sees it, if nobody does."""

    text: str
    why: str | None

    @property
    def hidden(self) -> bool:
        """Say whether nobody sees it."""
        return self.why is not None


@dataclass(frozen=True, slots=True)
class Page:
    """A page's characters where something on it is hidden; no characters where nothing is."""

    characters: tuple[Character, ...]
    hidden: tuple[tuple[str, str], ...]

    @property
    def hides_something(self) -> bool:
        """Say whether any text of this page is hidden."""
        return bool(self.hidden)


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    bottom: float
    right: float
    top: float

    def holds(self, other: _Box) -> bool:
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def covers(self, other: _Box) -> bool:
        slack = 1.0
        return (
            self.left - slack <= other.left
            and self.right + slack >= other.right
            and self.bottom - slack <= other.bottom
            and self.top + slack >= other.top
        )

    def touches(self, other: _Box) -> bool:
        apart = self.right <= other.left or self.left >= other.right
        return not apart and self.bottom < other.top and self.top > other.bottom


@dataclass(frozen=True, slots=True)
class _Painted:
    """One thing on the page: where, its colour (None: many or unknown), and whether it is a plain opaque box."""

    box: _Box
    colour: Colour | None
    opaque: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """One run of text: pdfium's address of it, and how many things were painted before it."""

    address: int
    box: _Box
    points: float
    render_mode: int
    colour: Colour | None
    alpha: int
    order: int


def look_at(content: bytes) -> list[Page]:
    """Answer what each page hides, or raise UnreadableFile."""
    with _ONE_AT_A_TIME:
        try:
            document = pdfium.PdfDocument(content)
        except pdfium.PdfiumError as error:
            wrong_password = raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD
            raise UnreadableFile(PASSWORD if wrong_password else DAMAGED) from error
        try:
            return [_look_at_page(document[number]) for number in range(len(document))]
        except pdfium.PdfiumError as error:
            raise UnreadableFile(DAMAGED) from error
        finally:
            document.close()


def _look_at_page(page: Any) -> Page:
    texts, painted = _inventory(page)
    sheet = _Box(*page.get_cropbox())
    reasons = {text.address: why for text in texts if (why := _why_unseen(text, painted, sheet))}
    if not reasons:
        return Page((), ())
    characters = tuple(_characters(page, reasons))
    return Page(characters, tuple(_hidden_lines(characters)))


def _why_unseen(text: _Text, painted: list[_Painted], sheet: _Box) -> str | None:
    if text.render_mode in _UNPAINTED or text.alpha == 0:
        return "not painted"
    if not sheet.touches(text.box):
        return "outside the page"
    if text.points < _SMALLEST_POINTS:
        return "smaller than two points"
    if any(over.opaque and over.box.covers(text.box) for over in painted[text.order :]):
        return "under a box"
    if text.render_mode in _FILLED and _is_lost(text, painted[: text.order]):
        return "in the colour of the page behind it"
    return None


def _is_lost(text: _Text, painted_before: list[_Painted]) -> bool:
    behind = next((under for under in reversed(painted_before) if under.box.holds(text.box)), None)
    ground = behind.colour if behind else _WHITE
    if ground is None or text.colour is None:
        return False
    return all(abs(a - b) <= _SAME_COLOUR_WITHIN for a, b in zip(ground, text.colour, strict=True))


def _inventory(page: Any) -> tuple[list[_Text], list[_Painted]]:
    texts: list[_Text] = []
    painted: list[_Painted] = []
    for thing, form in _things(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject):
        match raw.FPDFPageObj_GetType(thing):
            case raw.FPDF_PAGEOBJ_TEXT:
                texts.append(_text(thing, form, order=len(painted)))
            case raw.FPDF_PAGEOBJ_PATH:
                painted.extend(_filled_path(thing, form))
            case raw.FPDF_PAGEOBJ_IMAGE | raw.FPDF_PAGEOBJ_SHADING:
                painted.append(_Painted(_box(thing, form), None, opaque=False))
            case _:
                pass
    return texts, painted


def _things(
    holder: Any, count: Any, get: Any, form: Matrix = (1, 0, 0, 1, 0, 0), depth: int = 0
) -> Iterator[tuple[Any, Matrix]]:
    """Yield everything painted, with the matrix that places it on the page."""
    for number in range(count(holder)):
        thing = get(holder, number)
        yield thing, form
        if raw.FPDFPageObj_GetType(thing) == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
            inner = _times(_matrix(thing), form)
            yield from _things(
                thing, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject, inner, depth + 1
            )


def _text(thing: Any, form: Matrix, order: int) -> _Text:
    size = ctypes.c_float()
    raw.FPDFTextObj_GetFontSize(thing, size)
    a, b, c, d, _, _ = _times(_matrix(thing), form)
    colour, alpha = _fill(thing)
    return _Text(
        address=_address(thing),
        box=_box(thing, form),
        points=abs(size.value) * abs(a * d - b * c) ** 0.5,
        render_mode=raw.FPDFTextObj_GetTextRenderMode(thing),
        colour=colour,
        alpha=alpha,
        order=order,
    )


def _filled_path(thing: Any, form: Matrix) -> Iterator[_Painted]:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(thing, fill, stroke)
    if fill.value == raw.FPDF_FILLMODE_NONE:
        return
    colour, alpha = _fill(thing)
    if alpha:
        plain = raw.FPDFPath_CountSegments(thing) <= 6 and not (form[1] or form[2])
        yield _Painted(_box(thing, form), colour, opaque=plain and alpha == 255 and colour is not None)


def _fill(thing: Any) -> tuple[Colour | None, int]:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not raw.FPDFPageObj_GetFillColor(thing, red, green, blue, alpha):
        return None, 255
    return (red.value, green.value, blue.value), alpha.value


def _box(thing: Any, form: Matrix) -> _Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    raw.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    corners = [(x.value, y.value) for x in (left, right) for y in (bottom, top)]
    xs = [x * form[0] + y * form[2] + form[4] for x, y in corners]
    ys = [x * form[1] + y * form[3] + form[5] for x, y in corners]
    return _Box(min(xs), min(ys), max(xs), max(ys))


def _matrix(thing: Any) -> Matrix:
    found = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(thing, found)
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r, a * q + b * s,
        c * p + d * r, c * q + d * s,
        e * p + f * r + t, e * q + f * s + u,
    )  # fmt: skip


def _address(thing: Any) -> int:
    return ctypes.cast(thing, ctypes.c_void_p).value or 0


def _characters(page: Any, reasons: dict[int, str]) -> Iterator[Character]:
    """Yield the page's characters; a space or line end that pdfium adds is hidden as what it follows is."""
    textpage = page.get_textpage()
    why: str | None = None
    for number in range(raw.FPDFText_CountChars(textpage.raw)):
        thing = raw.FPDFText_GetTextObject(textpage.raw, number)
        if thing and not raw.FPDFText_IsGenerated(textpage.raw, number):
            why = reasons.get(_address(thing))
        code = raw.FPDFText_GetUnicode(textpage.raw, number)
        shown = "-\n" if code in (0x02, 0xFFFE) else _written(code)
        yield from (Character(part, why) for part in shown)


def _written(code: int) -> str:
    """Answer the character as the other reader's text has it after cleaning; line ends stay."""
    character = chr(code) if code <= 0x10FFFF else ""
    return character if character.isspace() else clean(character)


def _hidden_lines(characters: tuple[Character, ...]) -> Iterator[tuple[str, str]]:
    """Yield hidden runs line by line, with why."""
    line, why = "", None
    for character in (*characters, Character("\n", None)):
        if line and (character.why != why or character.text in "\r\n"):
            if line.strip() and why:
                yield line.strip(), why
            line = ""
        why = character.why
        if character.hidden and character.text not in "\r\n":
            line += character.text
