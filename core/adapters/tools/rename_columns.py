"""Rename columns of a table."""

from __future__ import annotations

import sqlite3
from typing import Annotated

import msgspec

from core.adapters.tools.database import list_columns, once, opened, quoted
from core.adapters.tools.tool import FileName, Output, Place, TableName, Tool, ToolError


class RenameColumns(msgspec.Struct, forbid_unknown_fields=True):
    """Which columns of which table: the name before to the name after."""

    database: FileName
    table: TableName
    names: Annotated[dict[str, str], msgspec.Meta(min_length=1, max_length=100)]


def run(place: Place, asked: RenameColumns) -> Output:
    """Rename all of them, or none."""
    place.path(asked.database)
    with opened(place, asked.database):
        pass  # a database that is not there is not made by renaming in it
    with opened(place, asked.database, writes=True) as conn:
        return once(conn, place, lambda: _rename(conn, asked))


def _rename(conn: sqlite3.Connection, asked: RenameColumns) -> Output:
    known = [name for name, _ in list_columns(conn, asked.table)]
    for before, after in asked.names.items():
        if before not in known:
            raise ToolError("no_such_column", f"{asked.table} has no column {before}; it has {', '.join(known)}.")
        conn.execute(f"ALTER TABLE {quoted(asked.table)} RENAME COLUMN {quoted(before)} TO {quoted(after)}")
    raw = "".join(f"{before} -> {after}\n" for before, after in asked.names.items())
    said = f"{len(asked.names)} {'column' if len(asked.names) == 1 else 'columns'} renamed"
    return Output(f"Migrated {asked.table} table; {said}", raw.encode(), {f"{asked.table} columns": said})


RENAME_COLUMNS = Tool("rename_columns", "Rename columns of a table, all or none.", RenameColumns, run)
