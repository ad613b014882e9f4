"""Count a table's rows and take their checksum."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence

import msgspec

from core.adapters.tools.database import list_columns, opened, quoted
from core.adapters.tools.tool import FileName, Output, Place, TableName, Tool


class CountRows(msgspec.Struct, forbid_unknown_fields=True):
    """Which table of which database."""

    database: FileName
    table: TableName


def run(place: Place, asked: CountRows) -> Output:
    """Count, and find the highest rowid, for batches go by rowid."""
    with opened(place, asked.database) as conn:
        columns = [name for name, _ in list_columns(conn, asked.table)]
        conn.execute("BEGIN")
        count, sum_ = checksum(conn, "main", asked.table, columns)
        last = conn.execute(f"SELECT coalesce(max(rowid), 0) FROM main.{quoted(asked.table)}").fetchone()[0]
    raw = f"rows {count}\nhighest rowid {last}\nchecksum {sum_}\n"
    facts = {f"{asked.database} {asked.table} rows": f"{count}, highest rowid {last}"}
    return Output(f"{asked.table} in {asked.database} has {count} rows", raw.encode(), facts)


def checksum(conn: sqlite3.Connection, schema: str, table: str, columns: Sequence[str]) -> tuple[int, str]:
    """Answer the number of rows and a hash over the values of these columns in the order of rowid."""
    state, count = hashlib.sha256(), 0
    names = ", ".join(quoted(name) for name in columns)
    for row in conn.execute(f"SELECT rowid, {names} FROM {schema}.{quoted(table)} ORDER BY rowid"):
        state.update(repr(row).encode())
        count += 1
    return count, state.hexdigest()[:16]


COUNT_ROWS = Tool("count_rows", "Count a table's rows, find the highest rowid, take a checksum.", CountRows, run)
