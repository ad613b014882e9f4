"""Text without the characters that nobody can see or that no database can keep."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from charset_normalizer import from_bytes

_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_REMOVED = dict.fromkeys(
    (
        *(*range(0x00, 0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF),
        *(*range(0xD800, 0xE000), *range(0xE0000, 0xE0080)),
    )
)
_TABLE: dict[int, str | None] = {
    **_REMOVED,
    **_LIGATURES,
    0x0B: "\n",
    0x85: "\n",
    0xA0: " ",
    0x2028: "\n",
    0x2029: "\n",
}
_BLANK_LINES = re.compile(r"\n{3,}")
LONGEST_LINE = 2_000
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_TAGGED = re.compile("[\U000e0020-\U000e007e]{8,}")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WHOLLY_OTHER = ("gb18030", "cp932", "euc_jp", "big5", "cp949", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256")
_SAMPLE = 20_000

RIGHT_TO_LEFT_DOUBT = "Part of this is written right to left; check the reading order before you quote it."
REMOVED_DOUBT = "Characters that are no text were removed."
GUESSED_DOUBT = "The encoding of this text was guessed ({}); check the letters with accents."


def clean(text: str) -> str:
    """Write ligatures as letters, drop what is no text, and keep lines and their inner spacing.

    A line longer than LONGEST_LINE characters is broken, at a space where it has one: whatever reads line by line
    then has work that grows with the text and no faster.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TABLE)
    lines = (part for line in text.split("\n") for part in _broken(line.rstrip()))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip("\n")


def _broken(line: str) -> Iterator[str]:
    at = 0
    while len(line) - at > LONGEST_LINE:
        space = line.rfind(" ", at, at + LONGEST_LINE + 1)
        end = space if space > at else at + LONGEST_LINE
        yield line[at:end].rstrip()
        at = end + (line[end] == " ")
    yield line[at:]


def is_right_to_left(text: str) -> bool:
    """Say whether anything in it is written right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


def doubts_about(text: str) -> tuple[str, ...]:
    """Say what a reader of this text should check."""
    return (RIGHT_TO_LEFT_DOUBT,) if is_right_to_left(text) else ()


def has_words(text: str) -> bool:
    """Say whether there is a letter in it: numbers alone tell nobody anything."""
    return any(character.isalpha() for character in text)


def unseen_letters(text: str) -> Sequence[str]:
    """Answer runs of letters written in characters that no font draws, read as the letters they stand for.

    Up to seven are a flag's emoji; a sentence is longer.
    """
    return ["".join(chr(ord(one) - 0xE0000) for one in run) for run in _TAGGED.findall(text)]


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a plain file's letters are written, and whether nothing in it says so."""

    codec: str
    is_guessed: bool = False


def encoding_of(content: bytes) -> Encoding:
    """Answer the encoding: by its mark, by its zeros, UTF-8 where it fits, else the likeliest of the usual ones."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            return Encoding(codec)
    zeros = _which_bytes_are_zero(content)
    if zeros:
        return Encoding(zeros)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return Encoding(_likeliest(content[:_SAMPLE]), is_guessed=True)
    return Encoding("utf-8")


def decode(content: bytes) -> str:
    """Answer the text of a plain file; what does not fit its encoding becomes a replacement mark."""
    return content.decode(encoding_of(content).codec, errors="replace").removeprefix("\ufeff")


def _likeliest(sample: bytes) -> str:
    """Answer Windows-1252 where few bytes are beyond ASCII, as in western text; else ask what fits best."""
    beyond = sum(byte > 0x7F for byte in sample)
    if beyond * 4 < len(sample) - sum(sample.count(blank) for blank in b" \t\r\n"):
        return "cp1252"
    found = from_bytes(sample, cp_isolation=list(_WHOLLY_OTHER), threshold=0.5, enable_fallback=False).best()
    return found.encoding if found is not None else "cp1252"


def _which_bytes_are_zero(content: bytes) -> str | None:
    """Answer the UTF-16 form of a text without a mark: every second byte of western text is then zero."""
    sample = content[:4000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd * 4 > len(sample) and even * 20 < len(sample):
        return "utf-16-le"
    if even * 4 > len(sample) and odd * 20 < len(sample):
        return "utf-16-be"
    return None
