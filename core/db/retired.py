"""Retired databases: where a home's rows moved to, in a file of the home that every process looks at.

`moved.json` names the databases that the rows left, and the one they are in. A process that opened one of them before
the rows moved meets the file in its next transaction, after the write lock is its own: so nothing is written to rows
that have moved, by however old a process.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from core.errors import HomeMoved

FILE = "moved.json"


@dataclass(frozen=True, slots=True)
class Moved:
    """What the file says: the databases that were left, the one the rows are in, and since when (UTC)."""

    left: Sequence[str]
    to: str
    at: datetime


class Retirement:
    """Whether one database of a home was left behind, asked in every transaction: one look at a file's times."""

    def __init__(self, home: Path, own: str) -> None:
        self._path = home / FILE
        self._own = own
        self._seen: tuple[int, int] | None = None

    def check(self) -> None:
        """Raise HomeMoved where the rows have moved on from this database."""
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            return
        if (found.st_ino, found.st_mtime_ns) == self._seen:
            return
        moved = read_moved(self._path.parent)
        if moved is not None and self._own in moved.left:
            raise HomeMoved(
                f"The rows of this home moved to {moved.to} on {moved.at:%Y-%m-%d}. Set DAYBOOK_DATABASE_URL to that "
                "database; nothing is read from or written to the one that was left."
            )
        self._seen = (found.st_ino, found.st_mtime_ns)


def read_moved(home: Path) -> Moved | None:
    """Answer what a home's file says, or None where its rows never moved."""
    try:
        return msgspec.json.decode((home / FILE).read_bytes(), type=Moved)
    except FileNotFoundError:
        return None
