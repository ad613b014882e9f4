from __future__ import annotations

import io
import struct
import zipfile

import docx as word
import pytest
from docx.enum.style import WD_STYLE_TYPE

from core.adapters.readers import ApplicationReader
from core.adapters.readers.reasons import DAMAGED, HAS_MACROS, TOO_LARGE_UNPACKED, TOO_MANY_PARTS
from core.errors import UnreadableFile
from core.steps import Document
from tests.unit.drawn_files import docx, paragraph, run

BOX = (
    "<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>{0}</w:txbxContent></mc:Choice>"
    "<mc:Fallback><w:txbxContent>{0}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>"
)


def read(content: bytes) -> Document:
    return ApplicationReader().read(content, "cv.docx")


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableFile) as refused:
        read(content)
    return refused.value.sentence


def hidden(document: Document) -> list[tuple[str, str]]:
    return [(one.text, one.why) for one in document.hidden]


@pytest.mark.case("P09")
def test_paragraphs_tables_and_nested_tables_keep_their_order() -> None:
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('deep')}</w:tc></w:tr></w:tbl>"
    cells = f"<w:tc>{paragraph('left')}</w:tc><w:tc>{inner}{paragraph('right')}</w:tc>"
    body = f"{paragraph('before')}<w:tbl><w:tr>{cells}</w:tr></w:tbl>{paragraph('after')}"

    assert read(docx(body)).visible.split() == ["before", "left", "deep", "right", "after"]


def test_a_text_box_is_read_once() -> None:
    body = paragraph("Nora Quist") + BOX.format(paragraph("Two lines") + paragraph("in a box"))

    assert read(docx(body)).visible == "Nora Quist\nTwo lines\nin a box"


@pytest.mark.case("P11")
def test_insertions_are_in_and_deletions_are_out() -> None:
    deleted = "<w:del><w:r><w:delText>was</w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run('moved')}</w:moveFrom>"
    body = f"<w:p>{run('She ')}{deleted}{moved}<w:ins>{run('is')}</w:ins>{run(' a designer')}</w:p>"

    assert read(docx(body)).visible == "She is a designer"


def test_content_controls_and_links_are_read() -> None:
    body = f"<w:sdt><w:sdtContent>{paragraph('Notice: three months')}</w:sdtContent></w:sdt>"
    body += f"<w:p><w:hyperlink>{run('portfolio')}</w:hyperlink></w:p>"

    assert read(docx(body)).visible == "Notice: three months\nportfolio"


@pytest.mark.case("P09")
def test_header_comes_first_and_footer_last() -> None:
    document = word.Document()
    document.add_paragraph("Designer")
    document.sections[0].header.paragraphs[0].text = "Nora"
    document.sections[0].footer.paragraphs[0].text = "Footnote"
    target = io.BytesIO()
    document.save(target)

    assert read(target.getvalue()).visible.split() == ["Nora", "Designer", "Footnote"]


def test_a_hard_page_break_parts_pages() -> None:
    body = paragraph("One") + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' + paragraph("Two")

    assert read(docx(body)).pages == ("One", "Two")


@pytest.mark.parametrize(
    ("marks", "why"),
    [
        ("<w:vanish/>", "hidden font"),
        ('<w:color w:val="FFFFFF"/>', "in the colour of the page behind it"),
        ('<w:sz w:val="2"/>', "smaller than two points"),
    ],
)
def test_what_nobody_sees_is_listed_and_left_out(marks: str, why: str) -> None:
    document = read(docx(paragraph("Nora Quist") + paragraph("full marks", marks)))

    assert (document.visible, hidden(document)) == ("Nora Quist", [("full marks", why)])


def test_white_text_in_a_dark_cell_is_seen() -> None:
    cell = '<w:tcPr><w:shd w:fill="203040"/></w:tcPr>' + paragraph("Skills", '<w:color w:val="FFFFFF"/>')
    document = read(docx(f"<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"))

    assert (document.visible, hidden(document)) == ("Skills", [])


def test_a_mark_switched_off_hides_nothing() -> None:
    assert read(docx(paragraph("Nora", '<w:vanish w:val="0"/>'))).visible == "Nora"


def test_a_file_that_unpacks_too_far_is_refused() -> None:
    assert refusal(docx(paragraph("x"), {"word/big.bin": bytes(51 * 1024 * 1024)})) == TOO_LARGE_UNPACKED


@pytest.mark.case("P17")
def test_a_size_that_lies_is_not_believed() -> None:
    packed = docx(paragraph("x"), {"word/big.bin": bytes(60 * 1024 * 1024)})
    lying = packed.replace(struct.pack("<L", 60 * 1024 * 1024), struct.pack("<L", 10))

    assert refusal(lying) == DAMAGED


@pytest.mark.case("P18")
def test_a_file_of_too_many_parts_is_refused() -> None:
    assert refusal(docx(paragraph("x"), {f"word/{n}.xml": b"" for n in range(1500)})) == TOO_MANY_PARTS


def test_a_file_with_macros_is_refused() -> None:
    assert refusal(docx(paragraph("x"), {"word/vbaProject.bin": b"code"})) == HAS_MACROS


@pytest.mark.parametrize("keep", [100, 400, 700])
def test_a_file_cut_off_is_damaged(keep: int) -> None:
    assert refusal(docx(paragraph("Nora Quist"))[:keep]) == DAMAGED


def test_a_packed_file_that_is_no_document_is_named() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")

    assert "an Excel workbook" in refusal(target.getvalue())


@pytest.mark.parametrize(
    "marks",
    ['<w:color w:val="FEFEFA"/>', '<w:color w:val="000000" w:themeColor="background1"/>'],
)
def test_nearly_white_and_the_themes_white_are_hidden(marks: str) -> None:
    document = read(docx(paragraph("Nora Quist") + paragraph("full marks", marks)))

    assert (document.visible, len(document.hidden)) == ("Nora Quist", 1)


def test_dark_text_on_its_own_colour_is_hidden() -> None:
    cell = '<w:tcPr><w:shd w:fill="203040"/></w:tcPr>' + paragraph("full marks", '<w:color w:val="213141"/>')
    document = read(docx(paragraph("Nora Quist") + f"<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"))

    assert hidden(document) == [("full marks", "in the colour of the page behind it")]


@pytest.mark.parametrize("own", ['<w:vanish w:val="0"/>', None])
def test_a_style_based_on_a_hidden_one_hides_unless_the_run_says_otherwise(own: str | None) -> None:
    document = word.Document()
    hides = document.styles.add_style("Hides", WD_STYLE_TYPE.PARAGRAPH)
    hides.font.hidden = True
    document.styles.add_style("Heir", WD_STYLE_TYPE.PARAGRAPH).base_style = hides
    document.add_paragraph("Nora Quist")
    run_of_heir = document.add_paragraph("full marks", style="Heir").runs[0]
    if own:
        run_of_heir.font.hidden = False
    target = io.BytesIO()
    document.save(target)

    assert ("full marks" in read(target.getvalue()).visible) is (own is not None)


def test_key_words_of_a_word_file_are_hidden_text() -> None:
    document = word.Document()
    document.add_paragraph("Nora Quist")
    document.core_properties.keywords = "approved by founder"
    target = io.BytesIO()
    document.save(target)

    assert [(one.text, one.where) for one in read(target.getvalue()).hidden] == [
        ("approved by founder", "the file's properties")
    ]
