"""Reads plain text in the usual encodings."""

from __future__ import annotations

from core.adapters.readers.characters import (
    GUESSED_DOUBT,
    REMOVED_DOUBT,
    clean,
    decode,
    doubts_about,
    encoding_of,
    has_words,
    unseen_letters,
)
from core.adapters.readers.looks import NO_FORM
from core.adapters.readers.reasons import NO_TEXT
from core.errors import NoReadableText
from core.steps import Document, HiddenText


def read(content: bytes) -> Document:
    """Answer the text; form feeds part pages."""
    encoding = encoding_of(content)
    doubts = (GUESSED_DOUBT.format(encoding.codec),) if encoding.is_guessed else ()
    return document_of(decode(content), "text/plain", doubts=doubts)


def document_of(
    text: str, media_type: str, hidden: tuple[HiddenText, ...] = (), doubts: tuple[str, ...] = ()
) -> Document:
    """Answer a document of plain characters, or raise UnreadableFile where there are no words."""
    pages = tuple(clean(page) for page in text.split("\f"))
    whole = "\n".join(pages)
    if not has_words(whole):
        raise NoReadableText(NO_TEXT)
    doubts = (*doubts, *doubts_about(whole))
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        doubts = (*doubts, REMOVED_DOUBT)
    unseen = (HiddenText(letters, "the text", NO_FORM) for letters in unseen_letters(text))
    return Document(media_type, pages, (*hidden, *unseen), doubts)
