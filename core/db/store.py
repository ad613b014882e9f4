"""Store: one transaction to read in, one to write in. Functions below take a `Tx` or a `Connection` and never commit.

Writers take turns, on every database: SQLite by BEGIN IMMEDIATE, PostgreSQL by one advisory lock taken first. So what a
writer reads inside its transaction stands until it commits, and the rooms below reason about one write lock. A reader
sees one snapshot. What differs between databases is behind `Dialect` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine

from core.db.locks import LifeLock
from core.db.retired import Retirement


@dataclass(slots=True)
class Tx:
    """One open write transaction. `notes` are audit entries to be chained before it commits.

    `nudges` says that something came that a waiting worker should look at once.
    """

    conn: Connection
    notes: list[Any] = field(default_factory=list)
    nudges: bool = False
    before_commit: list[Callable[[], None]] = field(default_factory=list)
    after_commit: list[Callable[[], None]] = field(default_factory=list)


class Watch(Protocol):
    """Tells that another process committed something worth looking at; asked by one thread, again and again."""

    def has_moved(self) -> bool:
        """Say whether anything came since the last time this was asked."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class Dialect(Protocol):
    """What one kind of database does in its own way."""

    name: str

    def begin(self, conn: Connection, *, is_write: bool) -> None:
        """Begin what `Store` opened: a writer takes its turn, a reader its snapshot.

        Called by the store and not by an event of the engine: one listener makes every statement a tenth dearer.
        """
        ...

    def nudge(self, conn: Connection) -> None:
        """Tell watching workers, when this transaction commits, that something came."""
        ...

    def watch(self, engine: Engine) -> Watch:
        """Begin to watch for what other processes commit."""
        ...

    def hold_life(self, engine: Engine, life: LifeLock) -> Callable[[], None]:
        """Hold what shows that a worker lives for as long as its process does; answers what gives it up."""
        ...

    def is_gone(self, engine: Engine, life_folder: Path, worker_id: str) -> bool:
        """Say whether a worker's process is gone."""
        ...


class Store:
    """The home's database. One that the rows moved away from is neither read nor written: it raises HomeMoved."""

    def __init__(self, engine: Engine, dialect: Dialect, retirement: Retirement) -> None:
        self.engine = engine
        self.dialect = dialect
        self._retirement = retirement

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open one snapshot to read from."""
        with self.engine.connect() as conn, conn.begin():
            self.dialect.begin(conn, is_write=False)
            self._retirement.check()
            yield conn

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open one write transaction; it commits when the block ends and is rolled back when it raises."""
        with self.engine.connect() as conn:
            with conn.begin():
                self.dialect.begin(conn, is_write=True)
                self._retirement.check()
                tx = Tx(conn)
                yield tx
                for hook in tx.before_commit:
                    hook()
                if tx.nudges:
                    self.dialect.nudge(conn)
            for hook in tx.after_commit:
                hook()

    def watch(self) -> Watch:
        """Begin to watch for what other processes commit."""
        return self.dialect.watch(self.engine)

    def is_gone(self, life_folder: Path, worker_id: str) -> bool:
        """Say whether a worker's process is gone."""
        return self.dialect.is_gone(self.engine, life_folder, worker_id)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
