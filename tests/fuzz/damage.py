"""Whole files of every kind that is read, and what may happen to one on its way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from functools import cache

from tests.unit.drawn_files import cv_page, docx, paragraph, pdf

LINES = (
    "Nora Quist",
    "nora.quist@example.com",
    "Led the Corner Press brand from brief to launch.",
    "Presents work to clients every second week.",
    "Teaches two juniors, Ife and Kit, each Tuesday.",
)


@cache
def whole_files() -> Mapping[str, bytes]:
    """Answer one file of each kind, by its name."""
    text = "\n".join(LINES)
    return {
        "plain.pdf": pdf(cv_page, cv_page),
        "packed.pdf": pdf(cv_page, cv_page, cv_page, compressed=True),
        "locked.pdf": pdf(cv_page, password=""),
        "cv.docx": docx("".join(map(paragraph, LINES))),
        "cv.rtf": (r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}" + "\\par ".join(LINES) + "}").encode(),
        "cv.html": f"<!DOCTYPE html><html><body><p>{text}</p><!-- note --></body></html>".replace(
            "\n", "</p><p>"
        ).encode(),
        "cv.json": json.dumps(
            {"basics": {"name": LINES[0], "email": LINES[1]}, "work": [{"highlights": LINES[2:]}]}
        ).encode(),
        "cv.md": f"# {text}\n\n![me](data:image/png;base64,iVBORw0KGgo=)\n[site](https://example.com)\n".encode(),
        "cv.txt": text.encode("utf-16"),
    }  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Answer the file after one to four accidents."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        content = chance.choice(_ACCIDENTS)(bytearray(content), chance)
    return content


def _cut_off(content: bytearray, chance: random.Random) -> bytes:
    return bytes(content[: chance.randrange(len(content) + 1)])


def _flipped(content: bytearray, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 2, 8, 64)) if content else 0):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def _overwritten(content: bytearray, chance: random.Random) -> bytes:
    at, length = chance.randrange(len(content) + 1), chance.choice((1, 16, 256, 4096))
    filling = chance.choice((bytes(length), b"\xff" * length, chance.randbytes(length)))
    return bytes(content[:at] + filling[: max(0, len(content) - at)] + content[at + length :])


def _shortened(content: bytearray, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return bytes(content[:at] + content[at + chance.choice((1, 7, 300)) :])


def _repeated(content: bytearray, chance: random.Random) -> bytes:
    at, length = chance.randrange(len(content) + 1), chance.choice((1, 40, 900))
    return bytes(content[:at] + content[at : at + length] * chance.choice((2, 3, 200)) + content[at:])


def _numbered_anew(content: bytearray, chance: random.Random) -> bytes:
    """Put another number where one stands: lengths, places and counts are what a file lies with."""
    digits = [place for place, byte in enumerate(content) if 48 <= byte <= 57]
    if digits:
        at = chance.choice(digits)
        number = chance.choice((b"0", b"-1", b"9", b"65536", b"2147483647", b"99999999999999999999"))
        content[at : at + 1] = number
    return bytes(content)


def _joined(content: bytearray, chance: random.Random) -> bytes:
    other = chance.choice(list(whole_files().values()))
    return bytes(content[: chance.randrange(len(content) + 1)] + other[chance.randrange(len(other)) :])


_ACCIDENTS: tuple[Callable[[bytearray, random.Random], bytes], ...] = (
    _cut_off, _cut_off, _flipped, _flipped, _overwritten, _shortened, _repeated, _numbered_anew, _joined,
)  # fmt: skip
