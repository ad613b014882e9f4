"""Text without the characters that nobody can see or that no database can keep."""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_REMOVED = dict.fromkeys(
    (
        *(*range(0x00, 0x09), *range(0x0E, 0x20), 0x7F, 0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF),
        *(*range(0xD800, 0xE000), *range(0xE0000, 0xE0080)),
    )
)
_TABLE: dict[int, str | None] = {**_REMOVED, **_LIGATURES, 0x0B: "\n", 0xA0: " ", 0x2028: "\n", 0x2029: "\n"}
_BLANK_LINES = re.compile(r"\n{3,}")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_UNUSABLE = re.compile("[\ufffd\ue000-\uf8ff]")

RIGHT_TO_LEFT_DOUBT = "Part of this is written right to left; check the reading order before you quote it."
REMOVED_DOUBT = "Characters that are no text were removed."
UNUSABLE_DOUBT = "Many letters of this file have no readable form; its text may not be usable."


def clean(text: str) -> str:
    """Write ligatures as letters, drop what is no text, and keep lines and their inner spacing."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TABLE)
    lines = (line.rstrip() for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip("\n")


def doubts_about(text: str) -> tuple[str, ...]:
    """Say what a reader of this text should check."""
    doubts = []
    if _RIGHT_TO_LEFT.search(text):
        doubts.append(RIGHT_TO_LEFT_DOUBT)
    if len(_UNUSABLE.findall(text)) * 10 > len(text):
        doubts.append(UNUSABLE_DOUBT)
    return tuple(doubts)


def has_words(text: str) -> bool:
    """Say whether there is anything in it that a person could read."""
    return any(character.isalnum() for character in text)


def decode(content: bytes) -> str:
    """Answer the text of a plain file: UTF-8, UTF-16 by its mark or its zeros, else Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    zeros = _which_bytes_are_zero(content)
    if zeros:
        return content.decode(zeros, errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _which_bytes_are_zero(content: bytes) -> str | None:
    """Answer the UTF-16 form of a text without a mark: every second byte of western text is then zero."""
    sample = content[:4000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd * 4 > len(sample) and even * 20 < len(sample):
        return "utf-16-le"
    if even * 4 > len(sample) and odd * 20 < len(sample):
        return "utf-16-be"
    return None
