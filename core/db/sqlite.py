"""SQLite: WAL, synchronous FULL and secure_delete on every connect; writers begin IMMEDIATE.

A read that is upgraded to a write fails at once, whatever the timeout, so no transaction here ever upgrades.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from core.db.locks import LifeLock, is_free
from core.db.retired import Retirement
from core.db.store import Store

_PRAGMAS = (
    "PRAGMA page_size=8192",  # a card is 1 KB sealed: larger pages leave less of each one empty
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA secure_delete=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=30000",
    "PRAGMA cache_size=-32768",
)


class SqliteDialect:
    """SQLite's ways: other processes notice a commit by `data_version`, a death by a file lock."""

    name = "sqlite"

    def begin(self, conn: Connection, *, is_write: bool) -> None:
        """Take the write lock at once, or a snapshot."""
        if is_write:
            conn.exec_driver_sql("BEGIN IMMEDIATE")
            return
        driver = conn.connection.driver_connection
        assert driver is not None  # noqa: S101 - it is open
        driver.execute("BEGIN")  # waits for nobody and cannot fail; past SQLAlchemy it costs a tenth

    def nudge(self, conn: Connection) -> None:
        """Do nothing: a commit is noticed as it is."""

    def watch(self, engine: Engine) -> DataVersion:
        """Watch on an idle connection of its own."""
        return DataVersion(engine)

    def hold_life(self, engine: Engine, life: LifeLock) -> Callable[[], None]:
        """Hold nothing more: the life lock's file says it."""
        return lambda: None

    def is_gone(self, engine: Engine, life_folder: Path, worker_id: str) -> bool:
        """Try the worker's life lock."""
        return is_free(life_folder, worker_id)


class DataVersion:
    """`PRAGMA data_version` moves when another connection commits; one idle connection asks it."""

    def __init__(self, engine: Engine) -> None:
        self._idle: PoolProxiedConnection = engine.raw_connection()
        self._seen = self._ask()

    def has_moved(self) -> bool:
        """Say whether another connection committed since the last time."""
        before, self._seen = self._seen, self._ask()
        return before != self._seen

    def _ask(self) -> int:
        cursor = self._idle.cursor()
        cursor.execute("PRAGMA data_version")
        row = cursor.fetchone()
        cursor.close()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Give the connection back."""
        self._idle.close()


def open_sqlite(path: Path, retirement: Retirement) -> Store:
    """Open the SQLite file, creating it where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        f"sqlite:///{path}",
        poolclass=QueuePool,
        pool_size=8,
        max_overflow=32,
        connect_args={"check_same_thread": False, "isolation_level": None, "cached_statements": 512},
        hide_parameters=True,
    )
    event.listen(engine, "connect", _set_pragmas)
    return Store(engine, SqliteDialect(), retirement)


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in _PRAGMAS:
        connection.execute(pragma)
