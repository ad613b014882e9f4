"""A PDF whose fonts show other letters than they say is not usable, whatever words come of it; any other one is."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from core.adapters.readers import ApplicationReader
from core.adapters.readers.usable import OTHER_LETTERS_DOUBT, is_usable
from core.steps import Document
from tests.unit.drawn_files import pdf

LINES = (
    "Nora Quist, nora.quist@example.com",
    "Led the Corner Press brand from brief to launch; orders rose by a third.",
    "Presents work to clients every second week and keeps the plan of each quarter.",
    "Teaches two juniors, Ife and Kit, each Tuesday, and judges their work kindly.",
    "Full right to work in the UK; quick with type, labels and very lazy foxes.",
)


@pytest.fixture(params=["Vera.ttf", "VeraBd.ttf", "VeraIt.ttf", "VeraBI.ttf"])
def cv(request: pytest.FixtureRequest) -> bytes:
    """A page in a font that is embedded with a mapping of its own."""
    pdfmetrics.registerFont(TTFont(request.param, request.param))

    def page(canvas: Canvas) -> None:
        canvas.setFont(request.param, 11)
        for place, line in enumerate(LINES):
            canvas.drawString(60, 740 - 18 * place, line)

    return pdf(page)


def mapped(content: bytes, letters: Mapping[str, str]) -> bytes:
    """Let every font of the file say other letters of its shapes."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    for found in list(writer._objects):
        if isinstance(found, DictionaryObject) and "/ToUnicode" in found:
            said = found["/ToUnicode"].get_object().get_data()
            said = re.sub(rb"(<[0-9a-fA-F]+>\s*)+", lambda line: _renamed(line[0], letters), said)
            stream = DecodedStreamObject()
            stream.set_data(said)
            found[NameObject("/ToUnicode")] = writer._add_object(stream)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def _renamed(codes: bytes, letters: Mapping[str, str]) -> bytes:
    """Exchange the letters that a line of codes stands for, and leave two-digit codes, which are shapes."""

    def one(code: re.Match[bytes]) -> bytes:
        letter = chr(int(code[1], 16))
        return b"<%04X>" % ord(letters.get(letter, letter))

    return re.sub(rb"<([0-9a-fA-F]{4})>", one, codes)


def read(content: bytes) -> Document:
    return ApplicationReader().read(content, "cv.pdf")


def exchanged(before: str, after: str) -> dict[str, str]:
    return dict(zip(before, after, strict=True))


def test_a_font_that_says_what_it_shows_is_usable(cv: bytes) -> None:
    document = read(mapped(cv, {}))

    assert (document.visible.split("\n"), document.usable, document.doubts) == (list(LINES), True, ())


@pytest.mark.parametrize(
    "letters",
    [
        exchanged("aeiou", "eioua") | exchanged("bcdfghjklmnpqrstvwxyz", "cdfghjklmnpqrstvwxyzb"),
        exchanged("aeltrnbdg", "ltaernpgd"),
        exchanged("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm"),
        exchanged("etbp", "btpe"),
    ],
)
def test_a_font_that_shows_other_letters_is_noticed(cv: bytes, letters: dict[str, str]) -> None:
    document = read(mapped(cv, letters))

    assert document.visible.split("\n") != list(LINES)
    assert (document.usable, document.doubts) == (False, (OTHER_LETTERS_DOUBT,))


def test_words_that_come_of_wrong_letters_may_look_like_words(cv: bytes) -> None:
    """What is noticed here is not seen in the words: vowels stand for vowels."""
    letters = exchanged("aeiou", "eioua") | exchanged("bcdfghjklmnpqrstvwxyz", "cdfghjklmnpqrstvwxyzb")

    assert is_usable(read(mapped(cv, letters)).visible)


def test_a_font_of_small_capitals_tells_nothing_and_is_usable(cv: bytes) -> None:
    """Capitals said to be small letters, as in a font that has no others."""

    def page(canvas: Canvas) -> None:
        pdfmetrics.registerFont(TTFont("Vera.ttf", "Vera.ttf"))
        canvas.setFont("Vera.ttf", 11)
        for place, line in enumerate(LINES):
            canvas.drawString(60, 740 - 18 * place, line.upper())

    small = {chr(number): chr(number + 32) for number in range(65, 91)}
    document = read(mapped(pdf(page), small))

    assert ("led the corner press brand" in document.visible, document.usable) == (True, True)
