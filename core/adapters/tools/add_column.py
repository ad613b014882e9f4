"""Add a column to a table."""

from __future__ import annotations

import sqlite3
from typing import Literal

import msgspec

from core.adapters.tools.database import list_columns, once, opened, quoted
from core.adapters.tools.tool import FileName, Output, Place, TableName, Tool, ToolError


class AddColumn(msgspec.Struct, forbid_unknown_fields=True):
    """Which column: its type, and what rows that are there get."""

    database: FileName
    table: TableName
    column: TableName
    type: Literal["TEXT", "INTEGER", "REAL"]
    default: str | int | float | None = None


def run(place: Place, asked: AddColumn) -> Output:
    """Add it, once."""
    with opened(place, asked.database):
        pass
    with opened(place, asked.database, writes=True) as conn:
        return once(conn, place, lambda: _add(conn, asked))


def _add(conn: sqlite3.Connection, asked: AddColumn) -> Output:
    if asked.column in [name for name, _ in list_columns(conn, asked.table)]:
        raise ToolError("column_exists", f"{asked.table} has a column {asked.column} already.")
    default = "" if asked.default is None else f" DEFAULT {_literal(conn, asked.default)}"
    conn.execute(f"ALTER TABLE {quoted(asked.table)} ADD COLUMN {quoted(asked.column)} {asked.type}{default}")
    line = f"Added column {asked.column} to {asked.table}"
    return Output(line, f"{line} {asked.type}{default}\n".encode(), {f"{asked.table} has": asked.column})


def _literal(conn: sqlite3.Connection, value: str | int | float) -> str:
    return str(conn.execute("SELECT quote(?)", (value,)).fetchone()[0])


ADD_COLUMN = Tool("add_column", "Add a column to a table, with a default for rows that are there.", AddColumn, run)
