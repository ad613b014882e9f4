"""A SQLite file of a run's folder, opened so that what a tool does under a key is done once.

The key stands in the file itself, written in the transaction of the act: a process that dies in between leaves both or
neither, and the same key again is answered with what it brought the first time.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.adapters.tools.tool import Output, Place, ToolError
from core.errors import PayloadMismatch
from core.steps import plain

KEYS = "_daybook_keys"
BUSY_SECONDS = 10.0
_TABLES = (
    "SELECT name FROM {}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY name"
)


@contextmanager
def opened(place: Place, name: str, *, writes: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a database of the folder; read-only where it is only read. Raises ToolError where there is none."""
    path = place.path(name)
    if not writes and not path.is_file():
        raise ToolError("no_such_file", f"There is no file {plain(name)} in the folder.")
    mode = "rwc" if writes else "ro"
    conn = sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA trusted_schema = OFF")
        with told():
            yield conn
    finally:
        conn.close()


@contextmanager
def told() -> Iterator[None]:
    """Answer what the database refuses as a tool's error; that it is busy is no answer."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise
        raise ToolError("sql_error", f"The database says: {plain(str(error))}.") from error


def attach(conn: sqlite3.Connection, path: Path) -> None:
    """Attach another file of the folder as `source`, read-only."""
    conn.execute("ATTACH DATABASE ? AS source", (f"{path.as_uri()}?mode=ro",))


def once(conn: sqlite3.Connection, place: Place, act: Callable[[], Output]) -> Output:
    """Do it in one transaction with its key, or answer what it brought under that key before."""
    conn.execute("BEGIN IMMEDIATE")
    try:
        conn.execute(
            f"CREATE TABLE IF NOT EXISTS {KEYS} (key TEXT PRIMARY KEY, asked TEXT, brought TEXT) WITHOUT ROWID"
        )
        found = conn.execute(f"SELECT asked, brought FROM {KEYS} WHERE key = ?", (place.key,)).fetchone()
        if found is not None:
            output = _brought(place, *found)
        else:
            output = act()
            brought = json.dumps([output.line, output.raw.decode(), dict(output.facts)])
            conn.execute(f"INSERT INTO {KEYS} VALUES (?, ?, ?)", (place.key, place.asked, brought))
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise
    return output


def _brought(place: Place, asked: str, brought: str) -> Output:
    if asked != place.asked:
        raise PayloadMismatch(f"{place.key} was used for something else in this database.")
    line, raw, facts = json.loads(brought)
    return Output(line, raw.encode(), facts)


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def list_tables(conn: sqlite3.Connection, schema: str = "main") -> list[str]:
    """Answer the tables of a schema, but not ours."""
    return [row[0] for row in conn.execute(_TABLES.format(schema), (KEYS,))]


def list_columns(conn: sqlite3.Connection, table: str, schema: str = "main") -> list[tuple[str, str]]:
    """Answer the columns of a table with their types; raises ToolError where there is no such table."""
    if table not in list_tables(conn, schema):
        known = ", ".join(list_tables(conn, schema)) or "no tables"
        raise ToolError("no_such_table", f"There is no table {plain(table)}; there are {known}.")
    rows = conn.execute(f"PRAGMA {schema}.table_info({quoted(table)})")
    return [(row[1], row[2]) for row in rows]


def write_database(path: Path, statements: Sequence[str]) -> None:
    """Write a database whole, under another name first; one that is there is left as it is."""
    if path.exists():
        return
    written = path.with_name(f".{path.name}.part")
    written.unlink(missing_ok=True)
    conn = sqlite3.connect(written, isolation_level=None)
    try:
        conn.execute("BEGIN")
        for statement in statements:
            conn.execute(statement)
        conn.execute("COMMIT")
    finally:
        conn.close()
    written.replace(path)
