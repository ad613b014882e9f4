"""PostgreSQL: one advisory lock for writers, REPEATABLE READ for readers, NOTIFY for what a worker should see at once.

A worker's life is a session advisory lock on a connection of its own: the server frees it when the process dies.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import structlog
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from core.db.locks import LifeLock, is_free
from core.db.retired import Retirement
from core.db.store import Store

log = structlog.get_logger()
_CHANNEL = "daybook"
_WRITERS = 0x6461_7962  # one number for the writers of a database


class PostgresDialect:
    """PostgreSQL's ways."""

    name = "postgresql"

    def begin(self, conn: Connection, *, is_write: bool) -> None:
        """Take the writers' lock, or one snapshot that nothing is written in."""
        if is_write:
            conn.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS})")
        else:
            conn.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def nudge(self, conn: Connection) -> None:
        """Notify when this transaction commits; a lost one costs a tick, for workers ask what is due anyway."""
        conn.exec_driver_sql(f"NOTIFY {_CHANNEL}")

    def watch(self, engine: Engine) -> Listener:
        """Listen on a connection of its own."""
        return Listener(engine)

    def hold_life(self, engine: Engine, life: LifeLock) -> Callable[[], None]:
        """Hold a session advisory lock named after the worker."""
        alone = create_engine(engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True)
        conn = alone.connect()
        conn.exec_driver_sql("SELECT pg_advisory_lock(%s)", (_life_number(life.path.stem),))
        return conn.close

    def is_gone(self, engine: Engine, life_folder: Path, worker_id: str) -> bool:
        """Try the worker's advisory lock, and give it back.

        A connection that broke frees the lock of a worker that lives; where its life lock's file is here, that tells.
        """
        if (life_folder / f"{worker_id}.lock").exists() and not is_free(life_folder, worker_id):
            return False
        with engine.connect() as conn, conn.begin():
            taken = conn.exec_driver_sql("SELECT pg_try_advisory_xact_lock(%s)", (_life_number(worker_id),))
            return bool(taken.scalar_one())


def _life_number(worker_id: str) -> int:
    return int.from_bytes(sha256(worker_id.encode()).digest()[:8], "big", signed=True)


class Listener:
    """LISTEN on its own connection, opened again when it breaks; then it says once that something may have come."""

    def __init__(self, engine: Engine) -> None:
        self._engine = create_engine(engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._conn: Connection | None = None

    def has_moved(self) -> bool:
        """Say whether a notification came since the last time."""
        try:
            if self._conn is None:
                self._conn = self._engine.connect()
                self._conn.exec_driver_sql(f"LISTEN {_CHANNEL}")
                return True
            driver = self._conn.connection.driver_connection
            assert driver is not None  # noqa: S101 - it is open
            return any(True for _ in driver.notifies(timeout=0))
        except (DBAPIError, OSError) as error:
            log.warning("listening broke off; it is taken up again", error=type(error).__name__)
            self.close()
            return True

    def close(self) -> None:
        """Stop listening."""
        if self._conn is not None:
            self._conn.invalidate()
            self._conn.close()
        self._conn = None


def open_postgres(url: str, retirement: Retirement) -> Store:
    """Open a PostgreSQL database by its URL (`postgresql://…`)."""
    engine = create_engine(
        url.replace("postgresql://", "postgresql+psycopg://", 1),
        pool_size=8,
        max_overflow=32,
        pool_pre_ping=True,
        hide_parameters=True,
    )
    return Store(engine, PostgresDialect(), retirement)
