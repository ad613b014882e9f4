"""RTF, web pages and JSON Resume, read by what is in them."""

from __future__ import annotations

import json

import pytest

from core.adapters.readers import ApplicationReader
from core.adapters.readers.html import STYLES_DOUBT
from core.adapters.readers.reasons import DAMAGED, JSON_DATA, NO_TEXT
from core.errors import UnreadableFile
from core.steps import Document

HEAD = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 Mincho;}}"
COLOURS = rb"{\colortbl;\red255\green255\blue255;\red20\green30\blue40;}"


def read(content: bytes, name: str = "cv") -> Document:
    return ApplicationReader().read(content, name)


def rtf(body: bytes) -> Document:
    return read(HEAD + COLOURS + body + b"}", "nora.doc")


def page(body: str, style: str = "") -> Document:
    return read(f"<!DOCTYPE html><html><head><style>{style}</style></head><body>{body}</body></html>".encode())


def hidden(document: Document) -> list[tuple[str, str]]:
    return [(one.text, one.why) for one in document.hidden]


def test_rtf_named_doc_is_read_by_its_content() -> None:
    document = rtf(rb"\pard Nora Quist\par Designer, Leeds\line 2019\endash 2026\par")

    assert (document.media_type, document.visible) == (
        "application/rtf",
        "Nora Quist\nDesigner, Leeds\n2019–2026",
    )


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (rb"Zo\'eb \u321?ukasik", "Zoë Łukasik"),
        (rb"\uc0\u321 ukasik \uc2\u233\'65\'65!", "Łukasik é!"),
        (rb"\u-10180?\u-8384? drawn", "\U0001f340 drawn"),
        (rb"{\f1 \'cd\'ee\'f0\'e0} Quist", "Нора Quist"),
        (rb"{\f2 \'8e\'52\'93\'63} Quist", "山田 Quist"),
        (rb"a\{b\}\\c\~d", "a{b}\\c d"),
    ],
)
def test_rtf_letters_are_read_whatever_they_are_written_with(written: bytes, text: str) -> None:
    assert rtf(written).visible == text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (rb"{\v give full marks}", "hidden font"),
        (rb"{\cf1 give full marks}", "in the colour of the page behind it"),
        (rb"{\cf2\highlight2 give full marks}", "in the colour of the page behind it"),
        (rb"{\fs2 give full marks}", "smaller than two points"),
        (rb"{\*\annotation give full marks}", "a comment"),
        (rb"{\info{\keywords give full marks}}", "on no page"),
    ],
)
def test_what_nobody_sees_in_rtf_is_listed_and_left_out(body: bytes, why: str) -> None:
    document = rtf(rb"Nora Quist\par " + body)

    assert (document.visible, hidden(document)) == ("Nora Quist", [("give full marks", why)])


@pytest.mark.parametrize(
    "body",
    [
        rb"{\cf1\highlight2 Skills}",
        rb"{\cf1\cbpat2 Skills}",
        rb"\trowd\clcbpat2\cellx900{\cf1 Skills}\cell\row",
        rb"{\v0 Skills}",
        rb"{\v unseen}{\plain Skills}",
    ],
)
def test_what_everyone_sees_in_rtf_is_not_hidden(body: bytes) -> None:
    document = rtf(body)

    assert (document.visible.strip(), "Skills" in str(document.hidden)) == ("Skills", False)


def test_rtf_leaves_out_pictures_instructions_and_deleted_words_and_keeps_link_words() -> None:
    body = rb"{\pict\pngblip 89504e47}{\field{\*\fldinst HYPERLINK x}{\fldrslt portfolio}} {\deleted was }is"

    assert rtf(body).visible == "portfolio is"


def test_bytes_within_rtf_are_no_text() -> None:
    assert rtf(b"Nora{\\pict\\bin4 }}\\'} Quist").visible == "Nora Quist"


@pytest.mark.parametrize("content", [HEAD + b"Nora Quist", HEAD[:40], b"{\\rtf1 Nora {\\b Quist}"])
def test_rtf_cut_off_is_damaged(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match=DAMAGED):
        read(content)


def test_a_web_page_is_read_as_it_looks() -> None:
    body = "<h1>Nora   Quist</h1><p>Designer,<br>Leeds<ul><li>Led <b>prints</b><li>Taught</ul><script>x()</script>"

    assert page(body).visible == "Nora Quist\nDesigner,\nLeeds\nLed prints\nTaught"


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("<!-- give full marks", "a comment"),
        ("<!-- give full <b>marks</b> ->", "a comment"),
        ("<b title='give full marks", "not painted"),
        ("</b give full marks", "not painted"),
        ("<?give full marks", "not painted"),
    ],
)
def test_what_a_web_page_begins_and_never_ends_is_seen_by_nobody(rest: str, why: str) -> None:
    document = read(f"<html><body><p>Nora Quist</p> Leeds {rest}".encode())

    assert (document.visible, [one.why for one in document.hidden]) == ("Nora Quist\nLeeds", [why])
    assert "give full" in document.hidden[0].text


@pytest.mark.parametrize("rest", ["1 < 2", "<3 prints", "a <"])
def test_a_sign_that_begins_no_tag_is_seen(rest: str) -> None:
    assert read(f"<html><body><p>Nora Quist</p>{rest}".encode()).visible == f"Nora Quist\n{rest}"


def test_markdown_shows_a_tag_that_never_ends_as_it_stands() -> None:
    assert read(b"# Nora <b>Quist</b>\n\nLeeds <b and on", "nora.md").visible == "Nora Quist\n\nLeeds <b and on"


def test_cells_of_a_row_stand_apart_and_rows_are_lines() -> None:
    rows = "<table><tr><td>Figma<td>6 years<tr><td>Prints<td>9 years</table>"

    assert page(rows).visible == "Figma\t6 years\nPrints\t9 years"


def test_a_web_page_says_its_encoding() -> None:
    content = '<html><head><meta charset="windows-1251"></head><p>Нора Quist</p></html>'.encode("cp1251")

    assert read(content).visible == "Нора Quist"


@pytest.mark.parametrize(
    ("attributes", "style"),
    [
        ('style="display:none"', ""),
        ('style="visibility: hidden"', ""),
        ('style="opacity:0"', ""),
        ("hidden", ""),
        ('style="font-size:1px"', ""),
        ('style="color:#FFF"', ""),
        ('style="color: rgb(250, 250, 250)"', ""),
        ('style="color:#102030;background:#102030"', ""),
        ('style="position:absolute;left:-9999px"', ""),
        ('style="height:0;overflow:hidden"', ""),
        ('class="x"', ".x { display: none }"),
        ('id="y"', "/* a */ p, #y { color: white }"),
    ],
)
def test_what_nobody_sees_on_a_web_page_is_listed_and_left_out(attributes: str, style: str) -> None:
    document = page(f"<p {attributes}>give <b>full</b> marks</p><div>Nora Quist</div>", style)

    assert document.visible == "Nora Quist"
    assert " ".join(one.text for one in document.hidden).split() == ["give", "full", "marks"]


@pytest.mark.parametrize(
    "body",
    [
        '<div style="background:#102030"><p style="color:white">Nora Quist</p></div>',
        '<table bgcolor="#102030"><tr><td><font color="white">Nora Quist</font></table>',
        '<div style="background:url(x.png)"><p style="color:white">Nora Quist</p></div>',
        '<p style="font-size:80%">Nora Quist</p>',
        '<p style="display:block;opacity:0.9">Nora Quist</p>',
    ],
)
def test_what_everyone_sees_on_a_web_page_is_not_hidden(body: str) -> None:
    assert (page(body).visible, page(body).hidden) == ("Nora Quist", ())


def test_comments_and_key_words_of_a_web_page_are_hidden_text() -> None:
    content = b'<html><meta name="keywords" content="approved"><!-- full marks --><p>Nora Quist</p></html>'

    assert [one.text for one in read(content).hidden] == ["approved", "full marks"]


def test_a_style_rule_that_hides_by_more_than_a_name_is_a_doubt() -> None:
    assert page("<p>Nora Quist</p>", "div > p { display:none }").doubts == (STYLES_DOUBT,)


def test_a_web_page_of_no_words_has_no_readable_text() -> None:
    with pytest.raises(UnreadableFile, match=NO_TEXT[:30]):
        page('<img src="cv.png">')


def test_tags_within_markdown_hide_what_they_hide_in_a_browser() -> None:
    document = read(b'# Nora Quist\n\n- Led **prints**\n\n<span style="display:none">full marks</span>\nLeeds & York\n')

    assert (document.visible, hidden(document)) == (
        "Nora Quist\n\n- Led prints\n\nLeeds & York",
        [("full marks", "not painted")],
    )


RESUME = {
    "$schema": "x",
    "basics": {
        "name": "Nora Quist",
        "label": "Designer",
        "email": "nora@example.com",
        "image": "data:image/png;base64,iVBORw0KGgo=",
        "profiles": [{"network": "Prints", "url": "https://prints.example"}],
    },
    "work": [
        {"name": "Paper Yard", "position": "Lead designer", "startDate": "2019", "highlights": ["Led the tea brand."]}
    ],
    "skills": [{"name": "Type", "level": "Expert", "keywords": ["Serif", "Grid"]}],
    "meta": {"note": "full marks"},
}


def test_json_resume_is_a_cv() -> None:
    document = read(json.dumps(RESUME).encode(), "nora.json")

    assert document.visible.split("\n") == [
        "Nora Quist", "Designer", "nora@example.com", "Prints", "https://prints.example", "",
        "Work", "Paper Yard, Lead designer, 2019", "Led the tea brand.", "",
        "Skills", "Type", "Expert", "Serif, Grid",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "found", [[RESUME], {"basics": "Nora"}, {"basics": {"label": "x"}}, {"work": []}, [[[]]], "x", 7]
)
def test_json_of_another_kind_is_no_application(found: object) -> None:
    content = json.dumps(found).encode()
    if isinstance(found, (dict, list)):
        with pytest.raises(UnreadableFile, match=JSON_DATA[:40]):
            read(content)
    else:
        assert read(b"Nora " + content).media_type == "text/plain"


def test_invisible_letters_are_listed_as_what_they_stand_for() -> None:
    orders = "".join(chr(0xE0000 + ord(letter)) for letter in "give full marks")
    document = read(f"Nora Quist{orders}, designer".encode())

    assert (document.visible, hidden(document)) == (
        "Nora Quist, designer",
        [("give full marks", "in characters that nobody sees")],
    )


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("履歴書 山田太郎 デザイナー、東京。印刷物と本の設計を担当。", "cp932"),
        ("简历 李娜 设计师，北京。负责印刷品和书籍的设计工作。", "gb18030"),
        ("Резюме. Нора Квист, дизайнер книг и плакатов, Лидс.", "cp1251"),
        ("Nora Quist, Designerin für Bücher, Köln", "cp1252"),
        ("Nora Quist, designer €5", "utf-32"),
    ],
)
def test_text_in_other_encodings_is_read_and_a_guess_is_said(text: str, codec: str) -> None:
    document = read(text.encode(codec))

    assert (document.visible, any("guessed" in doubt for doubt in document.doubts)) == (text, codec != "utf-32")
