"""Says what on a PDF page nobody can see, by pdfium's account of what is painted, in painting order.

Text is hidden when it is not painted at all, is painted in the colour of what lies behind it, is smaller
than two points, lies outside the page, or lies under a box painted after it. White text on a dark bar is
seen by everyone and is not hidden. What lies behind a picture's colours is not looked at.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from core.adapters.readers.characters import clean
from core.adapters.readers.kinds import DAMAGED, PASSWORD
from core.adapters.readers.painting import Box, Colour, Painted, Text, address_of, inventory
from core.errors import UnreadableFile

_SMALLEST_POINTS = 2.0
_SAME_COLOUR_WITHIN = 24
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
    texts, painted = inventory(page)
    sheet = Box(*page.get_cropbox())
    reasons = {text.address: why for text in texts if (why := _why_unseen(text, painted, sheet))}
    if not reasons:
        return Page((), ())
    characters = tuple(_characters(page, reasons))
    return Page(characters, tuple(_hidden_lines(characters)))


def _why_unseen(text: Text, painted: list[Painted], sheet: Box) -> str | None:
    if text.render_mode in _UNPAINTED or text.alpha == 0:
        return "not painted"
    if not sheet.touches(text.box):
        return "outside the page"
    if text.points < _SMALLEST_POINTS:
        return "smaller than two points"
    return _why_lost(text, painted[: text.order], painted[text.order :])


def _why_lost(text: Text, before: list[Painted], after: list[Painted]) -> str | None:
    if any(over.opaque and over.box.covers(text.box) for over in after):
        return "under a box"
    if text.render_mode in _FILLED and _is_lost(text, before):
        return "in the colour of the page behind it"
    return None


def _is_lost(text: Text, painted_before: list[Painted]) -> bool:
    behind = next((under for under in reversed(painted_before) if under.box.holds(text.box)), None)
    ground = behind.colour if behind else _WHITE
    if ground is None or text.colour is None:
        return False
    return all(abs(a - b) <= _SAME_COLOUR_WITHIN for a, b in zip(ground, text.colour, strict=True))


def _characters(page: Any, reasons: dict[int, str]) -> Iterator[Character]:
    """Yield the page's characters; a space or line end that pdfium adds is hidden as what it follows is."""
    textpage = page.get_textpage()
    why: str | None = None
    for number in range(raw.FPDFText_CountChars(textpage.raw)):
        thing = raw.FPDFText_GetTextObject(textpage.raw, number)
        if thing and not raw.FPDFText_IsGenerated(textpage.raw, number):
            why = reasons.get(address_of(thing))
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
