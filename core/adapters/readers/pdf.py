"""Reads PDF page by page: words and what nobody sees by pdfium; by pypdf the file's own properties, and lines that
run right to left, which it keeps in the order in which they were written.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import pypdf
from pypdf.errors import DependencyError

from core.adapters.readers.characters import clean, doubts_about, has_words, is_right_to_left
from core.adapters.readers.columns import ORDER_DOUBT
from core.adapters.readers.looks import NO_PAGE, PROPERTIES
from core.adapters.readers.reasons import DAMAGED, NO_TEXT, PASSWORD, PROBABLY_A_SCAN
from core.adapters.readers.streams import check_streams
from core.adapters.readers.visibility import Page, look_at
from core.errors import NoReadableText, UnreadableFile
from core.steps import Document, HiddenText

T = TypeVar("T")
_FEWEST_WORDS_A_PAGE = 10
_KEYWORDS_OF_NOBODY = {"", "unspecified"}

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its repairs are no news to whoever reads our log


def read(content: bytes) -> Document:
    """Answer the visible text of each page; text that nobody can see is listed apart."""
    return _opened(content, _document)


def list_hidden(content: bytes) -> tuple[HiddenText, ...]:
    """Answer the text that nobody can see alone, as a file of pictures may hold it."""
    return _opened(
        content, lambda document, _: (*_hidden(look_at(content, _layers_off(document)).pages), *_properties(document))
    )


def _opened(content: bytes, ask: Callable[[pypdf.PdfReader, bytes], T]) -> T:
    """Answer what is asked of a file, or raise UnreadableFile."""
    check_streams(content)
    try:
        document = pypdf.PdfReader(io.BytesIO(content))
        if document.is_encrypted and not document.decrypt(""):
            raise UnreadableFile(PASSWORD)
        return ask(document, content)
    except (UnreadableFile, MemoryError):
        raise
    except DependencyError as error:
        raise UnreadableFile(PASSWORD) from error
    except Exception as error:  # a damaged file raises whatever the broken place happens to raise
        raise UnreadableFile(DAMAGED) from error


def _document(document: pypdf.PdfReader, content: bytes) -> Document:
    looked = look_at(content, _layers_off(document))
    seen = looked.pages
    if len(seen) != len(document.pages):
        raise UnreadableFile(DAMAGED)
    pages = tuple(clean(_visible(document, number, page)) for number, page in enumerate(seen))
    whole = "\n".join(pages)
    if not has_words(whole):
        raise NoReadableText(NO_TEXT)
    in_columns = (ORDER_DOUBT,) if any(page.in_columns for page in seen) else ()
    hidden = (*_hidden(seen), *_properties(document))
    doubts = (*in_columns, *_doubts(whole, len(pages)))
    return Document("application/pdf", pages, hidden, doubts, usable=not looked.says_other_letters)


def _layers_off(document: pypdf.PdfReader) -> frozenset[str]:
    """Answer the names of layers that are switched off when the file is opened."""
    layers = document.root_object.get("/OCProperties")
    if layers is None:
        return frozenset()
    off = layers.get_object().get("/D", {}).get_object().get("/OFF", [])
    return frozenset(str(one.get_object().get("/Name", "")) for one in off.get_object())


def _properties(document: pypdf.PdfReader) -> tuple[HiddenText, ...]:
    """Answer the document's own key words and subject, which no page shows."""
    found: Mapping[str, object] = document.metadata or {}
    texts = (str(found.get(name) or "").strip() for name in ("/Keywords", "/Subject"))
    return tuple(HiddenText(clean(text), PROPERTIES, NO_PAGE) for text in texts if text not in _KEYWORDS_OF_NOBODY)


def _visible(document: pypdf.PdfReader, number: int, page: Page) -> str:
    if page.has_fields or not is_right_to_left(page.text):
        return page.visible
    return _without_hidden(document.pages[number].extract_text(), page)


def _without_hidden(text: str, page: Page) -> str:
    """Answer pypdf's text without the characters that pdfium knows to be hidden.

    The two readers agree on the characters of nearly every page and differ in their order. Where they do not
    agree, pdfium's own text is used: its order is poorer, but what it calls hidden is surely left out.
    """
    if not page.hidden:
        return text
    text = clean(text)
    flags = [character.why is not None for character in page.characters if _counts(character.text)]
    if [c for c in text if _counts(c)] != [c.text for c in page.characters if _counts(c.text)]:
        return page.visible
    rest = iter(flags)
    hidden = [_counts(character) and next(rest) for character in text]
    return _kept(text, hidden)


def _counts(character: str) -> bool:
    return not character.isspace() and character != "-"  # a hyphen at a line's end is written in two ways


def _kept(text: str, hidden: list[bool]) -> str:
    """Drop hidden characters, and lines of which nothing is left."""
    lines = []
    at = 0
    for line in text.split("\n"):
        flags = hidden[at : at + len(line)]
        at += len(line) + 1
        kept = "".join(c for c, gone in zip(line, flags, strict=True) if not gone)
        if has_words(kept) or not any(flags):
            lines.append(kept)
    return "\n".join(lines)


def _hidden(seen: Sequence[Page]) -> tuple[HiddenText, ...]:
    return tuple(
        HiddenText(clean(text), f"page {number}", why)
        for number, page in enumerate(seen, start=1)
        for text, why in page.hidden
        if clean(text).strip()
    )


def _doubts(whole: str, page_count: int) -> tuple[str, ...]:
    few = len(re.findall(r"\w+", whole)) < _FEWEST_WORDS_A_PAGE * page_count
    return (*doubts_about(whole), *((PROBABLY_A_SCAN,) if few else ()))
