"""Reads DOCX from its XML: what a reader of the printed page sees, each thing once.

python-docx opens the package and finds headers and footers. It passes over text boxes, content controls and
tracked insertions, so the words are gathered here. Of two forms of one thing (`mc:AlternateContent`) the
first is read; deleted and moved-away text is not.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import docx
from docx.oxml.ns import qn

from core.adapters.readers.characters import clean, doubts_about, has_words
from core.adapters.readers.kinds import DAMAGED, NO_TEXT
from core.adapters.readers.unpacking import check_unpacking
from core.errors import UnreadableFile
from core.steps import Document, HiddenText

HAS_MACROS = "This Word file holds macros, so it was not opened; ask for a copy saved as PDF or plain DOCX."

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_GONE = {_FALLBACK, *map(qn, ("w:del", "w:moveFrom", "w:rPr", "w:pPr", "w:instrText", "w:delText"))}
_SIGNS = {
    qn("w:tab"): "\t",
    qn("w:ptab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
}
_OFF = {"0", "false", "off", "none"}
_PAPER = {"FFFFFF", "AUTO", ""}
_SMALLEST_HALF_POINTS = 4


@dataclass(slots=True)
class _Reading:
    """What has been read so far of one story (the body, a header, a footer)."""

    vanishing_styles: frozenset[str]
    where: str
    lines: list[str] = field(default_factory=lambda: [""])
    hidden: list[HiddenText] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.lines[-1] += text

    def end_line(self) -> None:
        if self.lines[-1]:
            self.lines.append("")

    def hide(self, text: str, why: str) -> None:
        if self.hidden and self.hidden[-1].why == why and self.hidden[-1].where == self.where:
            text = self.hidden.pop().text + text
        self.hidden.append(HiddenText(text, self.where, why))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def read(content: bytes) -> Document:
    """Answer headers, body and footers in that order; hard page breaks part pages."""
    check_unpacking(content)
    opened = _open(content)
    vanishing = frozenset(_vanishing_styles(opened))
    stories = [_read_story(story, where, vanishing) for where, story in _stories(opened)]
    pages = tuple(clean(page) for page in "\n".join(story.text for story in stories).split("\f"))
    whole = "\n".join(pages)
    if not has_words(whole):
        raise UnreadableFile(NO_TEXT)
    hidden = [HiddenText(clean(one.text), one.where, one.why) for story in stories for one in story.hidden]
    return Document(_MEDIA_TYPE, pages, tuple(one for one in hidden if one.text.strip()), doubts_about(whole))


def _open(content: bytes) -> Any:
    if b"vbaProject" in content or b"vbaData" in content:  # part names stand unpacked in the file's list
        raise UnreadableFile(HAS_MACROS)
    try:
        return docx.Document(io.BytesIO(content))
    except Exception as error:  # a broken package raises whatever the broken place happens to raise
        raise UnreadableFile(DAMAGED) from error


def _stories(opened: Any) -> Iterator[tuple[str, Any]]:
    """Yield each story's element: headers that differ, the body, footers that differ."""
    yield from (("the header", element) for element in _margins(opened, "header"))
    yield "the body", opened.element.body
    yield from (("the footer", element) for element in _margins(opened, "footer"))


def _margins(opened: Any, name: str) -> Iterator[Any]:
    seen = set()
    for section in opened.sections:
        for kind in ("first_page_", "", "even_page_"):
            margin = getattr(section, kind + name)
            if not margin.is_linked_to_previous and margin.part.partname not in seen:
                seen.add(margin.part.partname)
                yield margin._element


def _vanishing_styles(opened: Any) -> Iterator[str]:
    """Yield the ids of styles that hide their text."""
    for style in opened.styles.element.iter(qn("w:style")):
        marks = style.find(qn("w:rPr"))
        if marks is not None and _is_on(marks.find(qn("w:vanish"))):
            yield style.get(qn("w:styleId"))


def _read_story(element: Any, where: str, vanishing: frozenset[str]) -> _Reading:
    reading = _Reading(vanishing, where)
    _read_children(element, reading)
    return reading


def _read_children(element: Any, reading: _Reading) -> None:
    for child in element:
        if child.tag in _GONE or not isinstance(child.tag, str):
            continue
        if child.tag == qn("w:p"):
            reading.end_line()
            _read_children(child, reading)
            reading.end_line()
        elif child.tag == qn("w:tr"):
            _read_row(child, reading)
        elif child.tag == qn("w:r"):
            _read_run(child, reading)
        else:
            _read_children(child, reading)


def _read_row(row: Any, reading: _Reading) -> None:
    """Write a row of short cells as one line; cells of several lines follow each other."""
    cells = [_read_cell(cell, reading) for cell in row.iter(qn("w:tc")) if _row_of(cell) is row]
    texts = [text for text in cells if text]
    reading.end_line()
    reading.write(("\n" if any("\n" in text for text in texts) else "\t").join(texts))
    reading.end_line()


def _row_of(cell: Any) -> Any:
    return next(cell.iterancestors(qn("w:tr")))


def _read_cell(cell: Any, reading: _Reading) -> str:
    inner = _Reading(reading.vanishing_styles, reading.where)
    _read_children(cell, inner)
    reading.hidden.extend(inner.hidden)
    return inner.text.strip("\n")


def _read_run(run: Any, reading: _Reading) -> None:
    why = _why_unseen(run, reading.vanishing_styles)
    for child in run:
        if child.tag == qn("w:t"):
            text = child.text or ""
        elif child.tag == qn("w:br") and child.get(qn("w:type")) == "page":
            text = "\f"
        elif child.tag in _SIGNS:
            text = _SIGNS[child.tag]
        else:
            text = ""
            if child.tag not in _GONE:
                _read_children(child, reading)
        if why and text:
            reading.hide(text, why)
        else:
            reading.write(text)


def _why_unseen(run: Any, vanishing: frozenset[str]) -> str | None:
    marks = run.find(qn("w:rPr"))
    if _vanishes(run, marks, vanishing):
        return "hidden font"
    if marks is None:
        return None
    size = _value(marks, "w:sz")
    if size.isdigit() and int(size) < _SMALLEST_HALF_POINTS:
        return "smaller than two points"
    if _value(marks, "w:color").upper() == "FFFFFF" and not _stands_on_colour(run):
        return "in the colour of the page behind it"
    return None


def _vanishes(run: Any, marks: Any, vanishing: frozenset[str]) -> bool:
    own = marks.find(qn("w:vanish")) if marks is not None else None
    if own is not None:
        return _is_on(own)
    styles = {_value(marks, "w:rStyle")} if marks is not None else set()
    paragraph = next(run.iterancestors(qn("w:p")), None)
    settings = paragraph.find(qn("w:pPr")) if paragraph is not None else None
    if settings is not None:
        styles.add(_value(settings, "w:pStyle"))
    return bool(styles & vanishing)


def _stands_on_colour(run: Any) -> bool:
    """Say whether anything behind the run is coloured: itself, its paragraph, its cell, its text box."""
    marks = run.find(qn("w:rPr"))
    if marks.find(qn("w:highlight")) is not None or _is_shaded(marks):
        return True
    for around in run.iterancestors():
        name = {qn("w:p"): "w:pPr", qn("w:tc"): "w:tcPr", qn("w:tbl"): "w:tblPr"}.get(around.tag)
        if name and _is_shaded(around.find(qn(name))):
            return True
        if around.tag == qn("w:txbxContent"):  # a box's filling is drawn in too many ways to tell
            return True
    return False


def _is_shaded(settings: Any) -> bool:
    shade = settings.find(qn("w:shd")) if settings is not None else None
    return shade is not None and (shade.get(qn("w:fill")) or "").upper() not in _PAPER


def _value(settings: Any, name: str) -> str:
    found = settings.find(qn(name))
    return "" if found is None else found.get(qn("w:val")) or ""


def _is_on(mark: Any) -> bool:
    return mark is not None and (mark.get(qn("w:val")) or "on").lower() not in _OFF
