"""Reads a scan by the system's tesseract: pdfium draws each page, tesseract says which letters stand there.

Nothing is written to disk: a page goes in and its text comes out by pipes. What is read so is said to be: letters may
be wrong.
"""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

import pypdfium2 as pdfium

from core.adapters.readers.characters import clean, doubts_about, has_words
from core.adapters.readers.kinds import FileKind, kind_of
from core.adapters.readers.pdf import list_hidden
from core.adapters.readers.reasons import (
    MOST_SCANNED_PAGES,
    NO_TEXT,
    OCR_FAILED,
    OCR_PROGRAM,
    OCR_SECONDS,
    OCR_TOO_LONG,
    OCR_TOO_SLOW,
)
from core.errors import NoReadableText, UnreadableFile
from core.steps import Document

OCR_DOUBT = "This is a scan; its text was read by OCR ({}), so letters may be wrong: check quotes against the file."

_DOTS_AN_INCH, _POINTS_AN_INCH = 200, 72
_MOST_DOTS = 4_000  # along a side: a page as large as a wall is read more coarsely


def read_scan(content: bytes, name: str, languages: str) -> Document:
    """Answer what tesseract reads on each page, or raise UnreadableFile; `languages` are its own names: eng+deu."""
    if kind_of(content, name) is not FileKind.PDF:
        raise NoReadableText(NO_TEXT)
    until = time.monotonic() + OCR_SECONDS
    document = pdfium.PdfDocument(content)
    if len(document) > MOST_SCANNED_PAGES:
        raise UnreadableFile(OCR_TOO_LONG)
    pages = tuple(clean(_read_page(document[number], languages, until)) for number in range(len(document)))
    whole = "\n".join(pages)
    if not has_words(whole):
        raise NoReadableText(NO_TEXT)
    doubts = (OCR_DOUBT.format(f"{OCR_PROGRAM}, {languages}"), *doubts_about(whole))
    return Document("application/pdf", pages, list_hidden(content), doubts, by_ocr=True)


def _read_page(page: Any, languages: str, until: float) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - our own words; the languages were checked with the settings
            [OCR_PROGRAM, "stdin", "stdout", "-l", languages],
            input=_drawn(page),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=max(0.1, until - time.monotonic()),
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableFile(OCR_TOO_SLOW) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise UnreadableFile(OCR_FAILED) from error
    return done.stdout.decode("utf-8", errors="replace").replace("\f", "")


def _drawn(page: Any) -> bytes:
    """Answer the page as a grey picture in the plainest format there is."""
    scale = min(_DOTS_AN_INCH / _POINTS_AN_INCH, _MOST_DOTS / max(page.get_size()))
    drawn = page.render(scale=scale, grayscale=True)
    dots, wide, step = bytes(drawn.buffer), drawn.width, drawn.stride
    rows = (dots[row * step : row * step + wide] for row in range(drawn.height))
    return b"P5 %d %d 255\n" % (wide, drawn.height) + b"".join(rows)
