"""Copy one batch of rows from one database into another, once."""

from __future__ import annotations

import sqlite3
from typing import Annotated

import msgspec

from core.adapters.tools.database import attach, list_columns, list_tables, once, opened, quoted
from core.adapters.tools.tool import FileName, Output, Place, TableName, Tool, ToolError


class CopyRows(msgspec.Struct, forbid_unknown_fields=True):
    """From where to where, and the rowids: those above `after`, up to `upto`."""

    source: FileName
    database: FileName
    table: TableName
    after: Annotated[int, msgspec.Meta(ge=0)]
    upto: Annotated[int, msgspec.Meta(ge=1)]


def run(place: Place, asked: CopyRows) -> Output:
    """Copy, with the table made as it is in the source where it is not there yet."""
    source = place.path(asked.source)
    if not source.is_file():
        raise ToolError("no_such_file", f"There is no file {asked.source} in the folder.")
    if asked.upto <= asked.after:
        raise ToolError("bad_arguments", f"No rowid lies above {asked.after} and up to {asked.upto}.")
    with opened(place, asked.database, writes=True) as conn:
        attach(conn, source)
        return once(conn, place, lambda: _copy(conn, asked))


def _copy(conn: sqlite3.Connection, asked: CopyRows) -> Output:
    columns = [name for name, _ in list_columns(conn, asked.table, "source")]
    if asked.table not in list_tables(conn):
        made = conn.execute("SELECT sql FROM source.sqlite_master WHERE type = 'table' AND name = ?", (asked.table,))
        conn.execute(made.fetchone()[0])
    names = ", ".join(quoted(name) for name in columns)
    rowid = "" if _has_own_rowid(conn, asked.table) else "rowid, "
    table = quoted(asked.table)
    done = conn.execute(
        f"INSERT INTO main.{table} ({rowid}{names}) SELECT {rowid}{names} FROM source.{table}"
        " WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
        (asked.after, asked.upto),
    )
    line = f"Copied {done.rowcount} rows of {asked.table} (rowids {asked.after + 1} to {asked.upto})"
    return Output(line, f"{line}\n".encode(), {f"{asked.table} copied up to": str(asked.upto)})


def _has_own_rowid(conn: sqlite3.Connection, table: str) -> bool:
    """Say whether a column is the rowid, so that it is copied with the columns."""
    keys = [row for row in conn.execute(f"PRAGMA source.table_info({quoted(table)})") if row[5]]
    return len(keys) == 1 and str(keys[0][2]).upper() == "INTEGER"


COPY_ROWS = Tool(
    "copy_rows", "Copy the rows of a table with rowids above `after` up to `upto` from one SQLite file into another.",
    CopyRows, run,
)  # fmt: skip
