"""Small files made on the spot: PDFs drawn line by line, DOCX from raw XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_COMPATIBLE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument'
    '.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/officeDocument'
    '/2006/relationships/officeDocument"/></Relationships>'
)


def pdf(*draw: Callable[[Canvas], None], password: str | None = None, compressed: bool = False) -> bytes:
    """Draw each page with one function."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1, encrypt=password, pageCompression=int(compressed))
    for page in draw:
        canvas.setFont("Helvetica", 11)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def cv_page(canvas: Canvas) -> None:
    """Draw a page that everyone can read."""
    lines = ("Nora Quist", "nora.quist@example.com", "Led the Corner Press brand from brief to launch.")
    for place, line in enumerate((*lines, "Presents work to clients every second week.")):
        canvas.drawString(60, 780 - 18 * place, line)


def docx(body: str, extra: dict[str, bytes] | None = None) -> bytes:
    """Pack a DOCX around the XML of its body."""
    document = f'<w:document xmlns:w="{_WORD}" xmlns:mc="{_COMPATIBLE}"><w:body>{body}</w:body></w:document>'
    parts = {
        "[Content_Types].xml": _TYPES.encode(),
        "_rels/.rels": _RELATIONS.encode(),
        "word/document.xml": document.encode(),
        **(extra or {}),
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def paragraph(text: str, marks: str = "") -> str:
    """Write one paragraph of one run."""
    return f"<w:p>{run(text, marks)}</w:p>"


def run(text: str, marks: str = "") -> str:
    """Write one run, with the XML of its marks."""
    settings = f"<w:rPr>{marks}</w:rPr>" if marks else ""
    return f'<w:r>{settings}<w:t xml:space="preserve">{text}</w:t></w:r>'
