"""Store: one transaction to read in, one to write in. Functions below take a `Tx` or a `Connection` and never commit.

SQLite is opened in WAL with synchronous FULL and secure_delete on every connect. Writers begin IMMEDIATE: a read
that is upgraded to a write fails at once, whatever the timeout, so no transaction here ever upgrades.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

_PRAGMAS = (
    "PRAGMA page_size=8192",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA secure_delete=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=30000",
    "PRAGMA cache_size=-32768",
)


@dataclass(slots=True)
class Tx:
    """One open write transaction. `notes` are audit entries to be chained before it commits."""

    conn: Connection
    notes: list[Any] = field(default_factory=list)
    before_commit: list[Callable[[], None]] = field(default_factory=list)
    after_commit: list[Callable[[], None]] = field(default_factory=list)


class Store:
    """The home's database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writing = engine.execution_options(daybook_write=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open one snapshot to read from."""
        with self.engine.connect() as conn, conn.begin():
            yield conn

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open one write transaction; it commits when the block ends and is rolled back when it raises."""
        with self._writing.connect() as conn:
            with conn.begin():
                tx = Tx(conn)
                yield tx
                for hook in tx.before_commit:
                    hook()
            for hook in tx.after_commit:
                hook()

    def open_idle(self) -> PoolProxiedConnection:
        """Open a connection that holds no transaction, for watching `data_version`; the caller closes it."""
        return self.engine.raw_connection()

    @staticmethod
    def data_version(idle: PoolProxiedConnection) -> int:
        """Answer a number that moves when another connection commits; ask on one idle connection only."""
        cursor = idle.cursor()
        cursor.execute("PRAGMA data_version")
        row = cursor.fetchone()
        cursor.close()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_store(path: Path) -> Store:
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
    event.listen(engine, "begin", _begin)
    return Store(engine)


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(conn: Connection) -> None:
    write = conn.get_execution_options().get("daybook_write", False)
    conn.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
