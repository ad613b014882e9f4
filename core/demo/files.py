"""Writes a demo CV as a real file (PDF in two designs, DOCX, Markdown, text), the same bytes each time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime

import docx
from docx.document import Document as WordDocument
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from core.demo.cv import CV

_MARGIN = 56
_FONT, _BOLD, _SIZE, _LEADING = "Helvetica", "Helvetica-Bold", 10, 15
_WRITTEN_AT = datetime(2026, 1, 5, 9, 0)  # noqa: DTZ001 - a file's own stamp, which has no zone


def ending_of(number: int, name: str) -> str:
    """Answer the kind of file: half PDF, a quarter DOCX, the rest text; PDF's own fonts lack some letters."""
    ending = ("pdf", "docx", "pdf", "txt", "pdf", "docx", "pdf", "md")[number % 8]
    if ending == "pdf" and not _is_western(name):
        return "docx"
    return ending


def write(cv: CV, ending: str, number: int) -> bytes:
    """Answer the file's bytes."""
    match ending:
        case "pdf":
            return _pdf(cv, has_bar=number % 3 == 0, has_two_pages=number % 5 == 1)
        case "docx":
            return _docx(cv)
        case "md":
            return _markdown(cv).encode()
        case _:
            return _text(cv).encode()


def _is_western(name: str) -> bool:
    try:
        name.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _text(cv: CV) -> str:
    parts = [f"{section.title.upper()}\n" + "\n".join(section.lines) for section in cv.sections]
    return "\n\n".join([f"{cv.name}\n{cv.contact}", *parts]) + "\n"


def _markdown(cv: CV) -> str:
    parts = [f"## {section.title}\n\n" + "\n".join(f"- {line}" for line in section.lines) for section in cv.sections]
    return "\n\n".join([f"# {cv.name}\n\n{cv.contact}", *parts]) + "\n"


def _pdf(cv: CV, *, has_bar: bool, has_two_pages: bool) -> bytes:
    """Write one or two pages; in one of the two designs the name is white on a dark bar."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1)
    y = _head(canvas, cv, has_bar=has_bar)
    for section in cv.sections:
        if has_two_pages and section.title == "Education":
            canvas.showPage()
            y = A4[1] - 70
        y = _section(canvas, section.title, section.lines, y)
    canvas.showPage()
    canvas.save()
    return target.getvalue()


def _head(canvas: Canvas, cv: CV, *, has_bar: bool) -> float:
    y: float = A4[1] - 70
    if has_bar:
        canvas.setFillColorRGB(0.12, 0.2, 0.3)
        canvas.rect(0, y - 14, A4[0], 46, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
    canvas.setFont(_BOLD, 18)
    canvas.drawString(_MARGIN, y, cv.name)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont(_FONT, _SIZE)
    canvas.drawString(_MARGIN, y - 34, cv.contact)
    return y - 64


def _section(canvas: Canvas, title: str, lines: Sequence[str], y: float) -> float:
    canvas.setFont(_BOLD, _SIZE + 2)
    canvas.drawString(_MARGIN, y, title)
    canvas.setFont(_FONT, _SIZE)
    for line in lines:
        for part in simpleSplit(line, _FONT, _SIZE, A4[0] - 2 * _MARGIN):
            y -= _LEADING
            canvas.drawString(_MARGIN, y, part)
    return y - 2 * _LEADING


def _docx(cv: CV) -> bytes:
    document = docx.Document()
    document.core_properties.created = document.core_properties.modified = _WRITTEN_AT
    document.core_properties.author = ""
    document.core_properties.comments = ""
    document.add_heading(cv.name, level=1)
    document.add_paragraph(cv.contact)
    for section in cv.sections:
        document.add_heading(section.title, level=2)
        for line in section.lines:
            document.add_paragraph(line)
    return _packed(document)


def _packed(document: WordDocument) -> bytes:
    """Pack the parts with one fixed stamp, because the library stamps them with the time of packing."""
    loose, packed = io.BytesIO(), io.BytesIO()
    document.save(loose)
    with zipfile.ZipFile(loose) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = zipfile.ZipInfo(name, _WRITTEN_AT.timetuple()[:6])
            part.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(part, source.read(name))
    return packed.getvalue()
