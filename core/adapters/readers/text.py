"""Reads plain text in the usual encodings."""

from __future__ import annotations

from core.adapters.readers.characters import REMOVED_DOUBT, clean, decode, doubts_about, has_words
from core.adapters.readers.kinds import NO_TEXT
from core.errors import UnreadableFile
from core.steps import Document, HiddenText


def read(content: bytes) -> Document:
    """Answer the text; form feeds part pages."""
    return document_of(decode(content), "text/plain")


def document_of(text: str, media_type: str, hidden: tuple[HiddenText, ...] = ()) -> Document:
    """Answer a document of plain characters, or raise UnreadableFile where there are no words."""
    pages = tuple(clean(page) for page in text.split("\f"))
    whole = "\n".join(pages)
    if not has_words(whole):
        raise UnreadableFile(NO_TEXT)
    doubts = doubts_about(whole)
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        doubts = (*doubts, REMOVED_DOUBT)
    return Document(media_type, pages, hidden, doubts)
