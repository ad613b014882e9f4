"""Bytes to text. The encoding is read off the bytes and said, so that no name is garbled unnoticed. Pure."""

from __future__ import annotations

import codecs

from core.errors import BadInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(content: bytes) -> tuple[str, str]:
    """Answer the text and its encoding; raises BadInput where it is in none that is read here."""
    if not content.strip():
        raise BadInput("The file is empty.")
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), None) or _unmarked(content)
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError as error:
        raise BadInput(f"The file looks like {encoding} and cannot be read as that; save it as UTF-8.") from error


def _unmarked(content: bytes) -> str:
    """Guess by where the zero bytes are; text that is no UTF-8 is what spreadsheets on older machines write."""
    head = content[:400]
    for encoding, place in (("utf-16-le", 1), ("utf-16-be", 0)):
        if head[place::2].count(0) > len(head) // 4:
            return encoding
    if 0 in content:
        raise BadInput("The file holds zero bytes and is no text; export it as CSV.")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
