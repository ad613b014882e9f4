"""The door: one file in, what a person sees of it out. A scan is tried by OCR where that is switched on and there."""

from __future__ import annotations

import shutil

from core.adapters.readers.pool import pool_of_this_process
from core.adapters.readers.reasons import MAX_FILE_BYTES, OCR_PROGRAM, PROBABLY_A_SCAN, TOO_LARGE
from core.errors import NoReadableText, UnreadableFile
from core.steps import Document


class ApplicationReader:
    """Reads PDF, DOCX, RTF, HTML, JSON Resume, Markdown and plain text; refuses everything else in one sentence.

    `ocr` are the languages in which scans are read by the system's tesseract, where there is one; "" reads none.
    """

    def __init__(self, ocr: str = "") -> None:
        self._ocr = ocr

    def read(self, content: bytes, name: str) -> Document:
        """Answer the document, or raise UnreadableFile with one sentence of at most 160 characters.

        `name` is used only to say so where it promises another kind of file.
        """
        if len(content) > MAX_FILE_BYTES:
            raise UnreadableFile(TOO_LARGE)
        try:
            document = pool_of_this_process().read(content, name)
        except NoReadableText:
            if not (self._ocr and _is_pdf(content) and has_tesseract()):
                raise
            return pool_of_this_process().read_scan(content, name, self._ocr)
        if PROBABLY_A_SCAN in document.doubts and self._ocr and has_tesseract():
            return self._fuller(document, content, name)
        return document

    def _fuller(self, document: Document, content: bytes, name: str) -> Document:
        """Answer the scan's own text where it says more than the few words that a file of pictures came with."""
        try:
            scanned = pool_of_this_process().read_scan(content, name, self._ocr)
        except UnreadableFile:
            return document
        return scanned if len(scanned.visible) > 2 * len(document.visible) else document


def _is_pdf(content: bytes) -> bool:
    return b"%PDF-" in content[:1024]


def has_tesseract() -> bool:
    """Say whether this system has the program."""
    return shutil.which(OCR_PROGRAM) is not None
