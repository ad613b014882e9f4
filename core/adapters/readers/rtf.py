"""Reads RTF: what the page shows, group by group.

A group inherits how its text looks and forgets its own changes when it ends. Text in the hidden font, in the colour
behind it, or too small to see is listed apart; deleted text is gone, as in a DOCX. The braces of a whole file match;
where they do not, it was cut off.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import replace

from core.adapters.readers.characters import clean
from core.adapters.readers.reasons import DAMAGED
from core.adapters.readers.rtf_page import Look, Reading, flush, write, write_bytes
from core.adapters.readers.rtf_words import (
    CODE_PAGES,
    COMMENTS,
    NAMED_PAGES,
    PROPERTIES,
    SHOWN_THOUGH_IGNORABLE,
    SIGNS,
    SYMBOLS,
    UNREAD,
)
from core.adapters.readers.text import document_of
from core.errors import UnreadableFile
from core.steps import Document, HiddenText

_TOKEN = re.compile(
    rb"\\bin(?P<bin>\d{1,9}) ?|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)


def read(content: bytes) -> Document:
    """Answer the text as the page shows it; page and section breaks part pages."""
    reading = Reading()
    at, ended = 0, False
    while at < len(content) and not ended:
        token = _TOKEN.match(content, at)
        if token is None:  # a bare line end, or a lone backslash at the end
            at += 1
            continue
        at = token.end() + int(token["bin"] or 0)
        ended = _take(reading, token)
    if not ended or at > len(content):
        raise UnreadableFile(DAMAGED)
    hidden = (HiddenText(clean(text).strip(), where, why) for text, where, why in reading.hidden)
    return document_of("".join(reading.pieces), "application/rtf", tuple(one for one in hidden if one.text))


def _take(reading: Reading, token: re.Match[bytes]) -> bool:
    """Take one token; say whether it ended the document."""
    if token["hex"]:
        write_bytes(reading, bytes.fromhex(token["hex"].decode()))
        return False
    if token["text"]:
        write_bytes(reading, token["text"])
        return False
    flush(reading)
    if token["brace"]:
        return _open_or_end(reading, token["brace"])
    if token["symbol"]:
        _take_symbol(reading, token["symbol"].decode("latin-1"))
    elif token["word"]:
        _take_word(reading, token["word"].decode(), None if token["number"] is None else int(token["number"]))
    return False


def _open_or_end(reading: Reading, brace: bytes) -> bool:
    reading.to_skip, reading.ignorable = 0, False
    if brace == b"{":
        reading.outer.append(reading.look)
        return False
    if not reading.outer:
        raise UnreadableFile(DAMAGED)
    reading.look = reading.outer.pop()
    return not reading.outer


def _take_symbol(reading: Reading, symbol: str) -> None:
    if symbol == "*":
        reading.ignorable = True
    elif reading.to_skip:
        reading.to_skip -= 1
    else:
        write(reading, SYMBOLS.get(symbol, ""))


def _take_word(reading: Reading, word: str, number: int | None) -> None:
    ignorable, reading.ignorable = reading.ignorable, False
    if word in _TELLING:
        _TELLING[word](reading, 1 if number is None else number)
    elif word in SIGNS:
        write(reading, SIGNS[word])
    elif word in NAMED_PAGES:
        reading.page = NAMED_PAGES[word]
    elif (story := _story_of(word, ignorable=ignorable)) and reading.look.story == "page":
        reading.look = replace(reading.look, story=story)


def _story_of(word: str, *, ignorable: bool) -> str | None:
    """Answer where the text of a group that begins with this word goes, or None where that is no change."""
    if word in ("fonttbl", "colortbl"):
        return word
    if word in PROPERTIES:
        return "properties"
    if word in COMMENTS:
        return "comment"
    unread = word in UNREAD or (ignorable and word not in SHOWN_THOUGH_IGNORABLE)
    return "nowhere" if unread else None


def _set(name: str) -> Callable[[Reading, int], None]:
    def tell(reading: Reading, number: int) -> None:
        value = bool(number) if name in ("vanishes", "deleted") else number
        reading.look = replace(reading.look, **{name: value})  # type: ignore[arg-type]

    return tell


def _plain(reading: Reading, _: int) -> None:
    before = reading.look
    kept = {"story": before.story, "paragraph_ground": before.paragraph_ground, "skips": before.skips}
    reading.look = Look(**kept, font=before.font)  # type: ignore[arg-type]


def _new_paragraph(reading: Reading, _: int) -> None:
    reading.look = replace(reading.look, paragraph_ground=0)


def _new_row(reading: Reading, _: int) -> None:
    reading.row_is_coloured = False


def _cell_ground(reading: Reading, number: int) -> None:
    reading.row_is_coloured = reading.row_is_coloured or number > 0


def _mix(place: int) -> Callable[[Reading, int], None]:
    def tell(reading: Reading, number: int) -> None:
        if reading.look.story == "colortbl":
            reading.mixed[place] = min(max(number, 0), 255)

    return tell


def _charset(reading: Reading, number: int) -> None:
    if reading.look.story == "fonttbl" and number in CODE_PAGES:
        reading.fonts[reading.look.font] = CODE_PAGES[number]


def _code_page(reading: Reading, number: int) -> None:
    try:
        codecs.lookup(f"cp{number}")
    except LookupError:
        return
    reading.page = f"cp{number}"


def _unicode(reading: Reading, number: int) -> None:
    """Write a character by its number; those beyond 16 bits come as two halves."""
    code = number % 0x10000
    reading.to_skip = reading.look.skips
    if 0xD800 <= code < 0xDC00:
        reading.half = code
        return
    if 0xDC00 <= code < 0xE000 and reading.half is not None:
        code = 0x10000 + ((reading.half - 0xD800) << 10) + (code - 0xDC00)
    reading.half = None
    write(reading, chr(code))


_TELLING: dict[str, Callable[[Reading, int], None]] = {
    "v": _set("vanishes"),
    "webhidden": _set("vanishes"),
    "deleted": _set("deleted"),
    "fs": _set("half_points"),
    "cf": _set("colour"),
    "cb": _set("ground"),
    "chcbpat": _set("ground"),
    "highlight": _set("ground"),
    "cbpat": _set("paragraph_ground"),
    "f": _set("font"),
    "uc": _set("skips"),
    "plain": _plain,
    "pard": _new_paragraph,
    "trowd": _new_row,
    "clcbpat": _cell_ground,
    "red": _mix(0),
    "green": _mix(1),
    "blue": _mix(2),
    "fcharset": _charset,
    "ansicpg": _code_page,
    "u": _unicode,
}
