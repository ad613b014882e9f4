"""Wrapped keys in a small database of their own, so that destroying a key touches nothing else.

Keys are created, committed and flushed before the transaction that first uses them, and destroyed after the rows
they sealed are gone. A key without rows is swept; a row without its key is unreadable, which is the point.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from core.db.locks import file_lock
from core.errors import HomeUnusable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS subject_keys (
  tenant_id TEXT NOT NULL, subject_id TEXT NOT NULL, epoch INTEGER NOT NULL, wrapped BLOB NOT NULL,
  PRIMARY KEY (tenant_id, subject_id));
CREATE TABLE IF NOT EXISTS section_keys (
  tenant_id TEXT NOT NULL, thread_id TEXT NOT NULL, rule TEXT NOT NULL, subject_id TEXT NOT NULL,
  wrapped BLOB NOT NULL, PRIMARY KEY (tenant_id, thread_id, rule));
CREATE INDEX IF NOT EXISTS section_keys_by_subject ON section_keys (tenant_id, subject_id);
CREATE TABLE IF NOT EXISTS peppers (
  tenant_id TEXT NOT NULL, version INTEGER NOT NULL, epoch INTEGER NOT NULL, wrapped BLOB NOT NULL,
  PRIMARY KEY (tenant_id, version));
"""
_EPOCH = 1
_KEY_SIZE = 32


class KeyStore:
    """The wrapped keys of one home, and the wrapping key that opens them."""

    def __init__(self, folder: Path) -> None:
        """Open it. Raises HomeUnusable, with nothing changed, where the wrapping key does not open what is there."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        self._path, key_path = folder / "keys.sqlite", folder / "wrapping.key"
        found = _check_key(_read_key(key_path), _look_into(self._path), key_path)
        self._db = _open_database(self._path)
        self._wrapping_key = found or _make_key_once(self._db, key_path)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the store alone; whatever its database refuses is one sentence that names it."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            raise HomeUnusable(
                f"The key store {self._path} cannot be used ({error}); look at who may write it."
            ) from error

    def make_keys(self, tenant_id: str, wanted: Sequence[tuple[str, str, Iterable[str]]]) -> None:
        """Make the keys that are missing for each (subject, thread, rules), in one commit."""
        with self._held():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for subject_id, thread_id, rules in wanted:
                    subject_key = self._subject_key_or_new(tenant_id, subject_id)
                    self._db.executemany(
                        "INSERT OR IGNORE INTO section_keys VALUES (?, ?, ?, ?, ?)",
                        [
                            (
                                tenant_id,
                                thread_id,
                                str(rule),
                                subject_id,
                                aes_key_wrap(subject_key, os.urandom(32)),
                            )
                            for rule in rules
                        ],
                    )
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    def _subject_key_or_new(self, tenant_id: str, subject_id: str) -> bytes:
        held = self.find_subject_key(tenant_id, subject_id)
        if held is not None:
            return held
        made = os.urandom(32)
        self._db.execute(
            "INSERT INTO subject_keys VALUES (?, ?, ?, ?)",
            (tenant_id, subject_id, _EPOCH, aes_key_wrap(self._wrapping_key, made)),
        )
        return made

    def find_subject_key(self, tenant_id: str, subject_id: str) -> bytes | None:
        """Answer a subject's key, or None once it is destroyed."""
        row = self._db.execute(
            "SELECT wrapped FROM subject_keys WHERE tenant_id = ? AND subject_id = ?", (tenant_id, subject_id)
        ).fetchone()
        return None if row is None else self._opened(row[0], f"of subject {subject_id}")

    def find_section_keys(
        self, tenant_id: str, thread_ids: Sequence[str]
    ) -> dict[str, tuple[str, bytes, dict[str, bytes]]]:
        """Answer for each thread its subject, the subject's key and the data key per rule; damaged is as gone."""
        found: dict[str, tuple[str, bytes, dict[str, bytes]]] = {}
        marks = ",".join("?" * len(thread_ids))
        with self._held():
            rows = self._db.execute(
                "SELECT c.thread_id, c.rule, c.wrapped, c.subject_id, s.wrapped FROM section_keys c"
                " JOIN subject_keys s ON s.tenant_id = c.tenant_id AND s.subject_id = c.subject_id"
                f" WHERE c.tenant_id = ? AND c.thread_id IN ({marks})",
                (tenant_id, *thread_ids),
            ).fetchall()
        for thread_id, rule, wrapped, subject_id, wrapped_subject in rows:
            subject_key = _unwrapped(self._wrapping_key, wrapped_subject)
            section_key = None if subject_key is None else _unwrapped(subject_key, wrapped)
            if subject_key is not None and section_key is not None:
                found.setdefault(thread_id, (subject_id, subject_key, {}))[2][rule] = section_key
        return found

    def destroy(self, tenant_id: str, thread_ids: Sequence[str]) -> None:
        """Destroy every data key of these threads; what they sealed can be read by nobody, from then on."""
        with self._held():
            self._db.executemany(
                "DELETE FROM section_keys WHERE tenant_id = ? AND thread_id = ?", [(tenant_id, t) for t in thread_ids]
            )

    def pepper(self, tenant_id: str) -> tuple[int, bytes]:
        """Answer the tenant's newest pepper and its version, making the first one."""
        with self._held():
            row = self._newest_pepper(tenant_id)
            if row is None:
                self._db.execute(
                    "INSERT OR IGNORE INTO peppers VALUES (?, 1, ?, ?)",
                    (tenant_id, _EPOCH, aes_key_wrap(self._wrapping_key, os.urandom(32))),
                )
                row = self._newest_pepper(tenant_id)
        assert row is not None  # noqa: S101 - inserted above
        return row[0], self._opened(row[1], f"that tenant {tenant_id} looks people up with")

    def _opened(self, wrapped: bytes, what: str) -> bytes:
        opened = _unwrapped(self._wrapping_key, wrapped)
        if opened is None:
            raise HomeUnusable(f"The key {what} is damaged; put back the key store of this home.")
        return opened

    def _newest_pepper(self, tenant_id: str) -> tuple[int, bytes] | None:
        found: tuple[int, bytes] | None = self._db.execute(
            "SELECT version, wrapped FROM peppers WHERE tenant_id = ? ORDER BY version DESC LIMIT 1",
            (tenant_id,),
        ).fetchone()
        return found

    def close(self) -> None:
        """Close the key database."""
        self._db.close()


def _unwrapped(key: bytes, wrapped: bytes) -> bytes | None:
    try:
        return aes_key_unwrap(key, wrapped)
    except (InvalidUnwrap, TypeError, ValueError):
        return None


def _look_into(path: Path) -> list[bytes]:
    """Answer some of what is wrapped; not a byte changes, nor of what a killed process left to be written ahead."""
    if not path.exists():
        return []
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro{alone}", uri=True, timeout=30)) as db:
        try:
            is_new = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'peppers'").fetchone() is None
            return [] if is_new else _list_wrapped(db)
        except sqlite3.DatabaseError as error:
            raise HomeUnusable(
                f"The key store {path} cannot be read ({error}); put back the one of this home."
            ) from error


def _check_key(found: bytes | None, wrapped: Sequence[bytes], path: Path) -> bytes | None:
    """Answer the wrapping key, or None where there is none and nothing needs it."""
    if found is None and wrapped:
        raise HomeUnusable(
            f"The wrapping key {path} is {'not 32 bytes long' if path.exists() else 'missing'}, and this home's "
            "keys are wrapped with it; put it back from where you keep it."
        )
    if found is not None and wrapped and all(_unwrapped(found, one) is None for one in wrapped):
        raise HomeUnusable(
            f"The wrapping key {path} does not open this home's keys; put back the one they were wrapped with."
        )
    return found


def _open_database(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "temp_store=MEMORY"):
        db.execute(f"PRAGMA {pragma}")
    db.executescript(_SCHEMA)
    return db


def _make_key_once(db: sqlite3.Connection, path: Path) -> bytes:
    """Make the wrapping key of a new home, unless another process has just made it."""
    with file_lock(path.with_suffix(".lock")):
        found = _check_key(_read_key(path), _list_wrapped(db), path)
        return _make_key(path) if found is None else found


def _read_key(path: Path) -> bytes | None:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    return content if len(content) == _KEY_SIZE else None


def _make_key(path: Path) -> bytes:
    """Write a new key. One that a crash cut short is made again: nothing is wrapped with it."""
    made = os.urandom(_KEY_SIZE)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.fchmod(handle, 0o600)
        os.write(handle, made)
        os.fsync(handle)
    finally:
        os.close(handle)
    return made


def _list_wrapped(db: sqlite3.Connection) -> list[bytes]:
    """Answer a few of the keys that the wrapping key wraps; none in a new home."""
    queries = (f"SELECT wrapped FROM {table} LIMIT 4" for table in ("subject_keys", "peppers"))
    return [row[0] for query in queries for row in db.execute(query)]
