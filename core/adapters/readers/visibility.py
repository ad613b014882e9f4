"""Reads the text of a PDF's pages and says what of it nobody can see, by pdfium's account of what is painted.

Text is hidden when it is not painted at all, lies on a layer that is switched off, is painted in the colour of what
lies behind it, is smaller than two points, lies outside the page or of what clips it, or under a box painted after it.
White text on a dark bar is seen by everyone and is not hidden. What lies behind a picture's colours is not looked at.
"""

from __future__ import annotations

import ctypes
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from core.adapters.readers.characters import clean
from core.adapters.readers.columns import Columns, find_columns, hold_words
from core.adapters.readers.fields import Filled, beside_labels, open_page
from core.adapters.readers.grounds import Grounds
from core.adapters.readers.looks import CLIPPED, LOST, NOT_PAINTED, OUTSIDE, SMALLEST_POINTS, TINY, is_lost
from core.adapters.readers.painting import Text, address_of, inventory
from core.adapters.readers.places import Box
from core.adapters.readers.reasons import DAMAGED, PASSWORD
from core.adapters.readers.shapes import Shapes
from core.errors import UnreadableFile

_UNPAINTED = {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}
_FILLED = {
    raw.FPDF_TEXTRENDERMODE_FILL,
    raw.FPDF_TEXTRENDERMODE_FILL_CLIP,
}
_EDGES = tuple(ctypes.c_double() for _ in range(4))  # pdfium fills these in, under its lock
_LEAST_SHOWN = 0.1  # of a run of text, for any of it to be read
_LINE_END_HYPHENS = (0x02, 0xFFFE)

# pdfium is not made for threads: one call at a time in a process.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True)
class Character:
    """One character as pdfium reads it, why nobody sees it, if nobody does, and its column (0 where there is none).

    On a page with fields also its place, and whether it was drawn into the page with one of them.
    """

    text: str
    why: str | None
    side: int = 0
    box: Box | None = None
    is_drawn: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of a page's runs of text, by address: why nobody sees one, where it is cut off, in which column."""

    reasons: Mapping[int, str]
    edges: Mapping[int, Box]
    sides: Mapping[int, int]
    sheet: Box
    filled: Filled | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page's text. `characters` are there only where something is hidden or stands in columns."""

    text: str
    characters: tuple[Character, ...] = ()
    hidden: tuple[tuple[str, str], ...] = ()
    in_columns: bool = False
    has_fields: bool = False

    @property
    def visible(self) -> str:
        """The text that somebody can see, column by column."""
        if not self.characters:
            return self.text
        parts = ["", "", "", ""]
        now = 0
        for one in self.characters:
            before = now
            if one.side:
                now = one.side
            elif one.text.strip():
                now = 3 if parts[1] or parts[2] else 0
            if now != before and parts[now] and parts[now][-1] not in "\r\n":
                parts[now] += "\n"
            if one.why is None:
                parts[now] += one.text
            elif one.text in "\r\n" and parts[now] and parts[now][-1] not in "\r\n":
                parts[now] += "\n"  # a line whose end nobody sees still ends there
        return "\n".join(part.strip("\r\n") for part in parts if part.strip())


@dataclass(frozen=True, slots=True)
class Seen:
    """A document's pages, and whether its fonts draw other letters than they say."""

    pages: tuple[Page, ...]
    says_other_letters: bool


def look_at(content: bytes, layers_off: Set[str] = frozenset()) -> Seen:
    """Answer each page's text and what it hides, or raise UnreadableFile."""
    with _ONE_AT_A_TIME:
        try:
            document = pdfium.PdfDocument(content)
        except pdfium.PdfiumError as error:
            wrong_password = raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD
            raise UnreadableFile(PASSWORD if wrong_password else DAMAGED) from error
        try:
            if document.get_formtype() != raw.FORMTYPE_NONE:
                document.init_forms()
            shapes = Shapes()
            opened = (open_page(document, number) for number in range(len(document)))
            pages = tuple(_look_at_page(page, filled, layers_off, shapes) for page, filled in opened)
            return Seen(pages, shapes.are_wrong())
        except pdfium.PdfiumError as error:
            raise UnreadableFile(DAMAGED) from error
        finally:
            document.close()


def _look_at_page(page: Any, filled: Filled | None, layers_off: Set[str], shapes: Shapes) -> Page:
    texts, painted = inventory(page, with_layers=bool(layers_off))
    sheet = Box(*page.get_bbox())  # its own or its folder's; `get_cropbox` knows only its own
    grounds = Grounds(painted, sheet)
    reasons = {text.address: why for text in texts if (why := _why_unseen(text, grounds, sheet, layers_off))}
    edges = {text.address: edge for text in texts if (edge := _edge_across(text, sheet))}
    textpage = page.get_textpage()
    shapes.look_at(textpage)
    seen = [text for text in texts if text.address not in reasons]
    columns = find_columns(seen)
    sides: Mapping[int, int] = {}
    if columns is not None and hold_words(columns, _words(textpage), seen):
        sides = _sides(columns, seen)
    if not (reasons or sides or edges or filled):
        return Page(_all_text(textpage))
    characters = tuple(_characters(textpage, Look(reasons, edges, sides, sheet, filled)))
    if filled is not None:
        characters = tuple(beside_labels(characters, filled, Character(" ", None), Character("\n", None)))
    hidden = tuple(_hidden_lines(characters))
    return Page("".join(one.text for one in characters), characters, hidden, bool(sides), bool(filled))


def _why_unseen(text: Text, grounds: Grounds, sheet: Box, layers_off: Set[str]) -> str | None:
    if text.render_mode in _UNPAINTED or text.alpha == 0 or text.layer in layers_off:
        return NOT_PAINTED
    if not sheet.touches(text.box):
        return OUTSIDE
    if not text.clip.covers(text.box) and text.clip.within(text.box).area < text.box.area * _LEAST_SHOWN:
        return CLIPPED
    if text.points < SMALLEST_POINTS:
        return TINY
    return _why_lost(text, grounds)


def _edge_across(text: Text, sheet: Box) -> Box | None:
    """Answer where a run of text is cut off on its way, where it is."""
    is_whole = sheet.covers(text.box) and text.clip.covers(text.box)
    return None if is_whole else text.clip.within(sheet)


def _why_lost(text: Text, grounds: Grounds) -> str | None:
    if grounds.is_covered(text.box, text.order):
        return "under a box"
    if text.render_mode in _FILLED and is_lost(text.colour, grounds.behind(text.box, text.order)):
        return LOST
    return None


def _sides(columns: Columns, texts: Sequence[Text]) -> dict[int, int]:
    return {text.address: columns.side_of(text.box) for text in texts}


def _all_text(textpage: Any) -> str:
    text = str(textpage.get_text_range()).replace("\r\n", "\n")
    return text.replace("\ufffe", "-\n").replace("\x02", "-\n")


def _words(textpage: Any) -> dict[int, str]:
    """Answer what each run of text says."""
    words: dict[int, str] = defaultdict(str)
    for number in range(raw.FPDFText_CountChars(textpage.raw)):
        thing = raw.FPDFText_GetTextObject(textpage.raw, number)
        if thing:
            words[address_of(thing)] += _written(raw.FPDFText_GetUnicode(textpage.raw, number))
    return words


def _characters(textpage: Any, look: Look) -> Iterator[Character]:
    """Yield the page's characters; a space or line end that pdfium adds is hidden as what it follows is."""
    why: str | None = None
    side = 0
    for number in range(raw.FPDFText_CountChars(textpage.raw)):
        thing = raw.FPDFText_GetTextObject(textpage.raw, number)
        if thing and not raw.FPDFText_IsGenerated(textpage.raw, number):
            address = address_of(thing)
            why = look.reasons.get(address) or _why_cut_off(textpage, number, look, address)
            side = look.sides.get(address, 0)
        code = raw.FPDFText_GetUnicode(textpage.raw, number)
        shown = "-\n" if code in _LINE_END_HYPHENS else _written(code)
        if look.filled is None:
            yield from (Character(part, why, side) for part in shown)
        else:
            box, is_drawn = _place_of(textpage, number), number >= look.filled.count
            yield from (Character(part, why, side, box, is_drawn) for part in shown)


def _why_cut_off(textpage: Any, number: int, look: Look, address: int) -> str | None:
    """Say why nobody sees one character of a run that is cut off on its way."""
    edge = look.edges.get(address)
    box = None if edge is None else _place_of(textpage, number)
    if edge is None or box is None or edge.holds(box):
        return None
    return CLIPPED if look.sheet.holds(box) else OUTSIDE


def _place_of(textpage: Any, number: int) -> Box | None:
    if not raw.FPDFText_GetCharBox(textpage.raw, number, *_EDGES):
        return None
    left, right, bottom, top = (one.value for one in _EDGES)
    return Box(left, bottom, right, top)


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
        if character.why is not None and character.text not in "\r\n":
            line += character.text
