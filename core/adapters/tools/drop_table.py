"""Drop a table. There is no way back, so a person is asked first."""

from __future__ import annotations

import sqlite3

import msgspec

from core.adapters.tools.database import list_columns, once, opened, quoted
from core.adapters.tools.tool import FileName, Output, Place, TableName, Tool


class DropTable(msgspec.Struct, forbid_unknown_fields=True):
    """Which table of which database."""

    database: FileName
    table: TableName


def run(place: Place, asked: DropTable) -> Output:
    """Drop it, once."""
    with opened(place, asked.database):
        pass
    with opened(place, asked.database, writes=True) as conn:
        return once(conn, place, lambda: _drop(conn, asked))


def _drop(conn: sqlite3.Connection, asked: DropTable) -> Output:
    list_columns(conn, asked.table)
    count = conn.execute(f"SELECT count(*) FROM {quoted(asked.table)}").fetchone()[0]
    conn.execute(f"DROP TABLE {quoted(asked.table)}")
    line = f"Dropped {asked.table} with its {count} rows"
    return Output(line, f"{line}\n".encode(), {f"{asked.table} dropped": "yes"})


DROP_TABLE = Tool("drop_table", "Drop a table for good. A person is asked first.", DropTable, run, reversible=False)
