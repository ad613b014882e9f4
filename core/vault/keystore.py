"""Wrapped keys in a small database of their own, so that destroying a key touches nothing else.

Keys are created, committed and flushed before the transaction that first uses them, and destroyed after the rows
they sealed are gone. A key without rows is swept; a row without its key is unreadable, which is the point.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.keywrap import aes_key_unwrap, aes_key_wrap

from core.db.locks import file_lock

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


class KeyStore:
    """The wrapped keys of one home, and the wrapping key that opens them."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        self._wrapping_key = _read_or_make_wrapping_key(folder / "wrapping.key")
        path = folder / "keys.sqlite"
        self._db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "temp_store=MEMORY"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.executescript(_SCHEMA)

    def make_keys(self, tenant_id: str, wanted: Sequence[tuple[str, str, Iterable[str]]]) -> None:
        """Make the keys that are missing for each (subject, thread, rules), in one commit."""
        with self._lock:
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
        return None if row is None else aes_key_unwrap(self._wrapping_key, row[0])

    def find_section_keys(
        self, tenant_id: str, thread_ids: Sequence[str]
    ) -> dict[str, tuple[str, bytes, dict[str, bytes]]]:
        """Answer for each thread its subject, the subject's key and the data key per rule."""
        found: dict[str, tuple[str, bytes, dict[str, bytes]]] = {}
        marks = ",".join("?" * len(thread_ids))
        with self._lock:
            rows = self._db.execute(
                "SELECT c.thread_id, c.rule, c.wrapped, c.subject_id, s.wrapped FROM section_keys c"
                " JOIN subject_keys s ON s.tenant_id = c.tenant_id AND s.subject_id = c.subject_id"
                f" WHERE c.tenant_id = ? AND c.thread_id IN ({marks})",
                (tenant_id, *thread_ids),
            ).fetchall()
        for thread_id, rule, wrapped, subject_id, wrapped_subject in rows:
            if thread_id not in found:
                found[thread_id] = (subject_id, aes_key_unwrap(self._wrapping_key, wrapped_subject), {})
            _, subject_key, sections = found[thread_id]
            sections[rule] = aes_key_unwrap(subject_key, wrapped)
        return found

    def destroy(self, tenant_id: str, thread_ids: Sequence[str]) -> None:
        """Destroy every data key of these threads; what they sealed can be read by nobody, from then on."""
        with self._lock:
            self._db.executemany(
                "DELETE FROM section_keys WHERE tenant_id = ? AND thread_id = ?", [(tenant_id, t) for t in thread_ids]
            )

    def pepper(self, tenant_id: str) -> tuple[int, bytes]:
        """Answer the tenant's newest pepper and its version, making the first one."""
        with self._lock:
            row = self._newest_pepper(tenant_id)
            if row is None:
                self._db.execute(
                    "INSERT OR IGNORE INTO peppers VALUES (?, 1, ?, ?)",
                    (tenant_id, _EPOCH, aes_key_wrap(self._wrapping_key, os.urandom(32))),
                )
                row = self._newest_pepper(tenant_id)
        assert row is not None  # noqa: S101 - inserted above
        return row[0], aes_key_unwrap(self._wrapping_key, row[1])

    def _newest_pepper(self, tenant_id: str) -> tuple[int, bytes] | None:
        found: tuple[int, bytes] | None = self._db.execute(
            "SELECT version, wrapped FROM peppers WHERE tenant_id = ? ORDER BY version DESC LIMIT 1",
            (tenant_id,),
        ).fetchone()
        return found

    def close(self) -> None:
        """Close the key database."""
        self._db.close()


def _read_or_make_wrapping_key(path: Path) -> bytes:
    with file_lock(path.with_suffix(".lock")):
        if not path.exists():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                os.write(handle, os.urandom(32))
                os.fsync(handle)
            finally:
                os.close(handle)
        return path.read_bytes()
