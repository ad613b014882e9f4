"""The deletion lab: a canary is written, deleted, and looked for in every byte of every file, step by step.

The files are the lab's own: a small SQLite database in write-ahead mode, in a temporary folder. What is done to it is
the recipe that leaves no byte: delete, write the log back and cut it, write the file anew, cut the log again.
"""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CANARY, CONTROL = "canary of Priya Shah", "control that stays"
ROWS, DELETED = 3_000, 300
FILES = ("data.sqlite", "data.sqlite-wal", "keys.sqlite", "keys.sqlite-wal")
_NONCE = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the lab is run: SQLite's own overwriting of what is deleted, a reader that stays open, and sealed rows whose
    key is destroyed in place of hoping for the bytes."""

    secure_delete: bool = False
    open_reader: bool = False
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One step: hits of the canary in each file, of the control in all, and how many deleted rows can be opened from a
    copy of the files as they are (None: nothing is sealed)."""

    step: str
    hits: dict[str, int]
    control: int
    can_be_opened: int | None
    note: str = ""

    @property
    def total(self) -> int:
        """All hits of the canary."""
        return sum(self.hits.values())


@dataclass(frozen=True, slots=True)
class DeletionRun:
    """One run from the first row to the last step, and what may be said of it."""

    wanted: Wanted
    lines: tuple[Line, ...]

    @property
    def verdict(self) -> str:
        """Answer proven, pending (a reader kept the old pages) or found, as an erasure's receipt says it."""
        last = self.lines[-1]
        if last.total == 0 and last.control > 0 and not last.can_be_opened:
            return "proven"
        return "pending" if self.wanted.open_reader and not any(line.step == CLOSED for line in self.lines) else "found"


WRITTEN, GONE, CUT, ANEW, CUT_AGAIN = "written", "deleted", "log cut", "file written anew", "log cut again"
CLOSED, DESTROYED = "reader closed, log cut", "key destroyed"


def run_deletion(wanted: Wanted, *, close_reader: bool = True) -> DeletionRun:
    """Write, delete and look, step by step, in a folder that is removed again.

    `close_reader` lets the open reader go at the end and takes the last steps once more.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-deletion-") as place, closing(_Lab(Path(place), wanted)) as lab:
        lab.write()
        lab.look(WRITTEN)
        lab.delete()
        lab.look(GONE)
        if wanted.sealed:
            lab.destroy_key()
            lab.look(DESTROYED, "the rows' key is gone: what stands anywhere opens nothing")
        lab.look(CUT, lab.cut_log())
        lab.vacuum()
        lab.look(ANEW)
        lab.look(CUT_AGAIN, lab.cut_log())
        if wanted.open_reader and close_reader:
            lab.close_reader()
            lab.cut_log()
            lab.vacuum()
            lab.look(CLOSED, lab.cut_log())
        return DeletionRun(wanted, tuple(lab.lines))


class _Lab:
    """One database with its key store, and what was seen so far."""

    def __init__(self, folder: Path, wanted: Wanted) -> None:
        self.lines: list[Line] = []
        self._folder, self._wanted = folder, wanted
        self._data = _open(folder / "data.sqlite", secure_delete=wanted.secure_delete)
        self._keys = _open(folder / "keys.sqlite", secure_delete=True)
        self._reader: sqlite3.Connection | None = None
        self._key = AESGCM.generate_key(256)
        self._data.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text BLOB)")
        self._keys.execute("CREATE TABLE keys (id INTEGER PRIMARY KEY, key BLOB)")

    def write(self) -> None:
        """Write rows, those to be deleted among them at random, and let a reader begin where one is wanted."""
        chosen = set(random.Random(7).sample(range(ROWS), DELETED))  # noqa: S311 - the same rows in every run
        rows = [(n, self._content(CANARY if n in chosen else CONTROL, n, sealed=n in chosen)) for n in range(ROWS)]
        self._sealed = [content for n, content in rows if n in chosen]
        self._data.executemany("INSERT INTO rows VALUES (?, ?)", rows)
        self._keys.execute("INSERT INTO keys VALUES (1, ?)", (self._key,))
        self._chosen = sorted(chosen)
        for connection in (self._data, self._keys):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if self._wanted.open_reader:
            self._reader = _open(self._folder / "data.sqlite", secure_delete=False)
            self._reader.execute("BEGIN")
            self._reader.execute("SELECT COUNT(*) FROM rows").fetchone()

    def _content(self, text: str, number: int, *, sealed: bool) -> bytes:
        plain = f"{text} {number:05d} {'stands in one row of about two hundred bytes ' * 3}".encode()
        if not (sealed and self._wanted.sealed):
            return plain
        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self._key).encrypt(nonce, plain, None)

    def delete(self) -> None:
        """Delete the chosen rows, as a person's erasure does."""
        self._data.execute(f"DELETE FROM rows WHERE id IN {_in(self._chosen)}")

    def destroy_key(self) -> None:
        """Delete the key, and write its file anew: this one is small, so it is done at once."""
        self._keys.execute("DELETE FROM keys")
        self._keys.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._keys.execute("VACUUM")
        self._keys.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def cut_log(self) -> str:
        """Write the log back into the file and cut it; answer what stood in the way."""
        busy, *_ = self._data.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return "a reader stood in the way: nothing was cut" if busy else ""

    def vacuum(self) -> None:
        """Write the file anew; with an open reader this succeeds and changes nothing in the file."""
        self._data.execute("VACUUM")

    def close_reader(self) -> None:
        """Let the reader end."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def look(self, step: str, note: str = "") -> None:
        """Count the canary in every byte of every file, and the control, which must be found."""
        found = {name: self._count(name, CANARY) for name in FILES if (self._folder / name).exists()}
        control = sum(self._count(name, CONTROL) for name in FILES)
        self.lines.append(Line(step, found, control, self._openable() if self._wanted.sealed else None, note))

    def _count(self, name: str, word: str) -> int:
        try:
            return (self._folder / name).read_bytes().count(word.encode())
        except FileNotFoundError:
            return 0

    def _openable(self) -> int:
        """Try to open what was sealed, wherever it stands, with whatever key the files hold."""
        kept = b"".join((self._folder / name).read_bytes() for name in FILES if (self._folder / name).exists())
        if self._key not in kept:
            return 0
        return sum(row[:64] in kept for row in self._sealed)

    def close(self) -> None:
        """Close every connection."""
        self.close_reader()
        for connection in (self._data, self._keys):
            with suppress(sqlite3.Error):
                connection.close()


def _open(path: Path, *, secure_delete: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.1)
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "temp_store = MEMORY", "wal_autocheckpoint = 0"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA secure_delete = {'ON' if secure_delete else 'OFF'}")
    return connection


def _in(ids: Sequence[int]) -> str:
    return f"({', '.join(str(one) for one in ids)})"
