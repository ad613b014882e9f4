"""Reads PDF page by page: words by pypdf, and by pdfium which of them anybody can see."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Mapping

import pypdf
from pypdf.errors import DependencyError

from core.adapters.readers.characters import clean, doubts_about, has_words
from core.adapters.readers.kinds import DAMAGED, NO_TEXT, PASSWORD
from core.adapters.readers.visibility import Page, look_at
from core.errors import UnreadableFile
from core.steps import Document, HiddenText

PROBABLY_A_SCAN = "There are very few words for its pages; it is probably a scan."

_FEWEST_WORDS_A_PAGE = 10
_END_WITHIN = 2048
_KEYWORDS_OF_NOBODY = {"", "unspecified"}

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its repairs are no news to whoever reads our log


def read(content: bytes) -> Document:
    """Answer the visible text of each page; text that nobody can see is listed apart."""
    if b"%%EOF" not in content[-_END_WITHIN:]:
        raise UnreadableFile(DAMAGED)  # readers salvage a part of it, which would pass for a thin CV
    texts, properties = _words(content)
    seen = look_at(content)
    if len(seen) != len(texts):
        raise UnreadableFile(DAMAGED)
    pages = tuple(clean(_visible(text, page)) for text, page in zip(texts, seen, strict=True))
    whole = "\n".join(pages)
    if not has_words(whole):
        raise UnreadableFile(NO_TEXT)
    return Document("application/pdf", pages, (*_hidden(seen), *properties), _doubts(whole, len(pages)))


def _words(content: bytes) -> tuple[list[str], tuple[HiddenText, ...]]:
    try:
        reader = pypdf.PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableFile(PASSWORD)
        return [page.extract_text() for page in reader.pages], _properties(reader)
    except (UnreadableFile, MemoryError):
        raise
    except DependencyError as error:
        raise UnreadableFile(PASSWORD) from error
    except Exception as error:  # a damaged file raises whatever the broken place happens to raise
        raise UnreadableFile(DAMAGED) from error


def _properties(reader: pypdf.PdfReader) -> tuple[HiddenText, ...]:
    """Answer the document's own key words and subject, which no page shows."""
    found: Mapping[str, object] = reader.metadata or {}
    texts = (str(found.get(name) or "").strip() for name in ("/Keywords", "/Subject"))
    return tuple(
        HiddenText(clean(text), "the file's properties", "on no page")
        for text in texts
        if text not in _KEYWORDS_OF_NOBODY
    )


def _visible(text: str, page: Page) -> str:
    """Answer pypdf's text without the characters that pdfium knows to be hidden.

    The two readers agree on the characters of nearly every page and differ in spaces. Where they do not
    agree, pdfium's own text is used: its spacing is poorer, but what it calls hidden is surely left out.
    """
    if not page.hides_something:
        return text
    text = clean(text)
    flags = [character.hidden for character in page.characters if _counts(character.text)]
    if [c for c in text if _counts(c)] != [c.text for c in page.characters if _counts(c.text)]:
        return "".join(character.text for character in page.characters if not character.hidden)
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


def _hidden(seen: list[Page]) -> tuple[HiddenText, ...]:
    return tuple(
        HiddenText(clean(text), f"page {number}", why)
        for number, page in enumerate(seen, start=1)
        for text, why in page.hidden
        if clean(text).strip()
    )


def _doubts(whole: str, page_count: int) -> tuple[str, ...]:
    few = len(re.findall(r"\w+", whole)) < _FEWEST_WORDS_A_PAGE * page_count
    return (*doubts_about(whole), *((PROBABLY_A_SCAN,) if few else ()))
