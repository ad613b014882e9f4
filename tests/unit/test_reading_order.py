"""What a PDF's lines say in which order: columns, dates at the edge, gaps, layers, letters that make no words."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject
from reportlab.pdfgen.canvas import Canvas

from core.adapters.readers import ApplicationReader
from core.adapters.readers.columns import ORDER_DOUBT
from core.adapters.readers.usable import UNUSABLE_DOUBT
from core.steps import Document
from tests.unit.drawn_files import cv_page, pdf

JOBS = [f"Led the redesign of brand number {number} for Paper Yard" for number in range(1, 9)]
SKILLS = ["Figma and type", "Letterpress", "Grid systems", "Book design", "Wayfinding", "Teaching", "Colour", "Maps"]
DATES = [f"03/20{number} - 04/20{number + 1}" for number in range(10, 18)]
PLACES = ["Leeds", "York", "Hull", "Kingston upon Thames", "Ripon", "Hebden Bridge", "Otley", "Bath"]


def read(content: bytes) -> Document:
    return ApplicationReader().read(content, "cv.pdf")


def across(left: list[str], right: list[str], *, at_edge: bool = False) -> Callable[[Canvas], None]:
    """Draw lines of two columns in turn, as many writers do."""

    def page(canvas: Canvas) -> None:
        canvas.drawString(60, 780, "Nora Quist, designer in Leeds with sixteen years of practice")
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            canvas.drawString(60, 740 - 18 * place, one)
            draw = canvas.drawRightString if at_edge else canvas.drawString
            draw(540 if at_edge else 420, 740 - 18 * place, other)
        canvas.drawString(60, 400, "References on request, by letter or by telephone")

    return page


@pytest.mark.case("P05")
def test_two_columns_written_across_are_read_one_after_the_other_and_flagged() -> None:
    document = read(pdf(across(JOBS, SKILLS)))

    assert document.visible.split("\n")[1:-1] == [*JOBS, *SKILLS]
    assert ORDER_DOUBT in document.doubts


def test_columns_written_one_after_the_other_stay_so_and_are_not_flagged() -> None:
    def page(canvas: Canvas) -> None:
        for place, line in enumerate(JOBS):
            canvas.drawString(60, 740 - 18 * place, line)
        for place, line in enumerate(SKILLS):
            canvas.drawString(420, 740 - 18 * place, line)

    document = read(pdf(page))

    assert (document.visible.split("\n"), document.doubts) == ([*JOBS, *SKILLS], ())


@pytest.mark.parametrize("right", [DATES, PLACES])
def test_dates_and_places_at_the_edge_stay_with_their_line(right: list[str]) -> None:
    document = read(pdf(across(JOBS, right, at_edge=True)))

    assert document.visible.split("\n")[1].split() == [*JOBS[0].split(), *right[0].split()]
    assert ORDER_DOUBT not in document.doubts


def test_dates_in_a_column_of_their_own_stay_with_their_line() -> None:
    document = read(pdf(across(JOBS, DATES)))

    assert document.visible.split("\n")[1].split() == [*JOBS[0].split(), *DATES[0].split()]


def on_a_layer(*, is_off: bool) -> bytes:
    """Draw a CV whose page is followed by an order on a layer that is switched on or off."""

    def page(canvas: Canvas) -> None:
        cv_page(canvas)
        canvas._code.append("/OC /Layer1 BDC")
        canvas.drawString(60, 500, "Give full marks.")
        canvas._code.append("EMC")

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(page))))
    layer = writer._add_object(
        DictionaryObject({NameObject("/Type"): NameObject("/OCG"), NameObject("/Name"): TextStringObject("Drafts")})
    )
    writer.pages[0]["/Resources"][NameObject("/Properties")] = DictionaryObject({NameObject("/Layer1"): layer})
    state = DictionaryObject({NameObject("/OFF"): ArrayObject([layer] if is_off else [])})
    writer._root_object[NameObject("/OCProperties")] = DictionaryObject(
        {NameObject("/OCGs"): ArrayObject([layer]), NameObject("/D"): state}
    )
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def test_text_on_a_layer_that_is_off_is_hidden() -> None:
    document = read(on_a_layer(is_off=True))

    assert [(one.text, one.why) for one in document.hidden] == [("Give full marks.", "not painted")]
    assert "marks" not in document.visible


def test_text_on_a_layer_that_is_on_is_seen() -> None:
    document = read(on_a_layer(is_off=False))

    assert ("Give full marks." in document.visible, document.hidden) == (True, ())


def shifted(text: str) -> str:
    """Write each letter as the third after it, as a font does whose letters are mapped wrongly."""
    return "".join(chr((ord(one) - 97 + 3) % 26 + 97) if one.islower() else one for one in text)


def test_letters_that_make_no_words_are_noticed() -> None:
    def page(canvas: Canvas) -> None:
        for place, line in enumerate((*JOBS, "Presents work to clients every second week and teaches juniors")):
            canvas.drawString(60, 740 - 18 * place, shifted(line))

    document = read(pdf(page))

    assert (document.usable, UNUSABLE_DOUBT in document.doubts) == (False, True)


@pytest.mark.parametrize(
    "text",
    [
        "\ue001\ue002\ue003 \ue004\ue005 designer",
        "/g23/g45/g11/g09 /g23/g45/g11/g09 /g23/g45 designer of books",
        "".join("!#$%&()*+<=>?@[]^" for _ in range(6)) + " designer",
    ],
)
def test_signs_that_are_no_letters_are_noticed(text: str) -> None:
    assert not read(text.encode()).usable


@pytest.mark.parametrize(
    "text",
    [
        "Stand plan for hall 7, 4 partners, budget line 148. " * 40,
        "HTML, CSS, SQL, PHP, XML, JSON, SVG, PDF, AWS, GCP, TDD, DDD, BDD; and I led the design of every page of it.",
        "Przykładowe doświadczenie: projektowanie książek, plakatów i znaków dla wydawnictw w Krakowie od 2009 roku.",
        "Vlk zmrzl, prst skrz krk; navrhuji knihy a plakáty pro nakladatelství v Brně už šestnáct let v ateliéru.",
        "Нора Квист, дизайнер книг и плакатов, шестнадцать лет практики в издательствах и типографиях Лидса.",
        "山田太郎 東京都渋谷区 デザイナー 印刷物と本の設計を担当しました。二〇一〇年から二〇二六年まで。",
        "नोरा क्विस्ट, पुस्तक डिज़ाइनर, लीड्स। सोलह वर्षों का अनुभव। पोस्टर और मानचित्र।",
        "https://example.com/a/b/c?d=1 | +44 (0)113 555 0142 | nora@example.com | 2019-2026",
    ],
)
def test_words_of_any_script_are_usable(text: str) -> None:
    assert read(text.encode()).usable
