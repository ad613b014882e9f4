"""Read by SQL. The database itself refuses to write: it is opened read-only, and an authorizer allows only reads."""

from __future__ import annotations

import csv
import io
import sqlite3
from typing import Annotated

import msgspec

from core.adapters.tools.database import opened
from core.adapters.tools.tool import FileName, Output, Place, Tool, ToolError

MOST_BYTES = 8 * 1024 * 1024
MOST_STEPS = 50_000_000
_READS = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


class Query(msgspec.Struct, forbid_unknown_fields=True):
    """One SELECT."""

    database: FileName
    sql: Annotated[str, msgspec.Meta(min_length=1, max_length=20_000)]


def run(place: Place, asked: Query) -> Output:
    """Answer the rows as CSV."""
    refused: list[int] = []

    def allow(action: int, *_: object) -> int:
        if action in _READS:
            return sqlite3.SQLITE_OK
        refused.append(action)
        return sqlite3.SQLITE_DENY

    with opened(place, asked.database) as conn:
        conn.execute("PRAGMA query_only = ON")
        conn.set_authorizer(allow)
        steps = iter(range(MOST_STEPS // 10_000))
        conn.set_progress_handler(lambda: next(steps, None) is None, 10_000)
        try:
            count, raw = _read(conn.execute(asked.sql))
        except (sqlite3.DatabaseError, sqlite3.ProgrammingError) as error:
            if refused:
                raise ToolError(
                    "read_only", "This tool only reads; the database refused to run what writes."
                ) from error
            raise
    return Output(f"The query answered {count} rows", raw)


def _read(cursor: sqlite3.Cursor) -> tuple[int, bytes]:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([column[0] for column in cursor.description or ()])
    count = 0
    for row in cursor:
        writer.writerow(row)
        count += 1
        if out.tell() > MOST_BYTES:
            raise ToolError("too_much", "The answer is larger than 8 MB; ask for fewer rows or columns.")
    return count, out.getvalue().encode("utf-8", "replace")


QUERY = Tool("query", "Read a SQLite file by one SELECT; nothing can be written.", Query, run)
