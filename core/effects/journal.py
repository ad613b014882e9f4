"""The effect journal: one line a phase, beside the database, flushed before anything leaves.

A database that was put back reads it to know what may have left since. Tenant, key, payload hash, attempt, phase; no
content. A line that a crash cut short was never flushed, so nothing left under it: the next writer ends it with a
mark, and readers pass it over. Any other line that cannot be read is counted, and hides no other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from core.db.append import CUT, append_lines, split_lines

SENDING, DONE, NOT_SENT, UNKNOWN, REMOVED = "sending", "done", "not_sent", "unknown", "removed"
_CUT_SHORT = re.compile(rb'(?:\{|\{"|\{"t[ -~]*(?<!\}))?')
_ENDING = 256


@dataclass(frozen=True, slots=True)
class Line:
    """One phase of one attempt: `sending` before the irreversible byte, then `done`, `not_sent` or `unknown`.

    `removed` ends a key's story: what left under it was taken back out of the world (a demo's letters).
    """

    tenant: str
    key: str
    payload_hash: str
    attempt: int
    phase: str


@dataclass(frozen=True, slots=True)
class Place:
    """How far a journal was read: so many bytes, and a hash of what stands right before, so that it is known again."""

    byte_count: int
    ending: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """What stands between two places: the lines, and the numbers of those that cannot be read, counted from there."""

    lines: Sequence[Line]
    unreadable: Sequence[int]
    end: Place


BEGIN = Place(0, "")


class Journal:
    """The append-only file. Any number of processes may append."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, lines: Sequence[Line], *, flush: bool) -> None:
        """Add lines; with `flush` they are on the device when this returns. Raises OSError."""
        append_lines(self.path, [msgspec.json.encode(line) for line in lines], cut=_CUT_SHORT, flush=flush)

    def read(self) -> Iterator[Line]:
        """Yield every line that can be read."""
        yield from self.read_on(BEGIN).lines

    def has_grown(self, since: Place) -> bool:
        """Say whether there may be anything to read after a place."""
        return self._size() != since.byte_count

    def read_on(self, since: Place) -> Stretch:
        """Answer what stands after a place; from the beginning where this is not the file the place was taken in."""
        if self._size() == 0:
            return Stretch((), (), BEGIN)
        with self.path.open("rb") as file:
            start = since.byte_count if _ending_at(file.fileno(), since.byte_count) == since.ending else 0
            file.seek(start)
            content = file.read()
            end = start + content.rfind(b"\n") + 1
            lines, unreadable = _parse(content)
            return Stretch(lines, unreadable, Place(end, _ending_at(file.fileno(), end)))

    def _size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0


def _ending_at(handle: int, place: int) -> str:
    ending = os.pread(handle, min(_ENDING, place), max(0, place - _ENDING))
    return sha256(ending).hexdigest()[:16] if ending else ""


def _parse(content: bytes) -> tuple[list[Line], list[int]]:
    lines, unreadable = [], []
    pieces, unended = split_lines(content, cut=_CUT_SHORT)
    for number, piece in enumerate([*pieces, unended] if unended else pieces, 1):
        try:
            lines.append(_DECODER.decode(piece))
        except (msgspec.MsgspecError, UnicodeError):
            if not piece.endswith(CUT):
                unreadable.append(number)
    return lines, unreadable


_DECODER = msgspec.json.Decoder(Line)
