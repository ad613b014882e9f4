"""Places: columns on the data map, rows that belong to something, blobs and their receipts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from sqlalchemy import Connection, inspect

from core.ports import Blobs
from core.receipts.keep import PREFIX, last_sweep_at, list_refs
from core.retention.datamap import compare_columns
from core.views.checks.look import Findings, Look


@runtime_checkable
class DatedBlobs(Protocol):
    """A blob store that knows when it wrote what it holds. Of one that does not, no orphan is reported."""

    def written_at(self, blob_id: str) -> datetime:
        """Answer when the bytes were written."""
        ...


def check_columns(conn: Connection, found: Findings) -> None:
    """Expect every column of the live database on the data map, and every column of the map in the database."""
    live = list(_columns(conn))
    unmapped, gone = compare_columns(live)
    found.checked += len(live)
    for name in unmapped:
        found.report(f"column {name}: is not on the data map.")
    for name in gone:
        found.report(f"column {name}: is on the data map, but not in the database.")


def _columns(conn: Connection) -> Iterator[tuple[str, str]]:
    for (_, table), columns in inspect(conn).get_multi_columns().items():
        for column in columns:
            yield table, column["name"]


def check_belonging(conn: Connection, found: Findings) -> None:
    """Expect every row to belong to the row it names, where the database can tell."""
    found.checked += 1
    if conn.dialect.name == "sqlite":
        for table, row, parent, _ in conn.exec_driver_sql("PRAGMA foreign_key_check"):
            found.report(f"{table} row {row}: belongs to a row of {parent} that is not there.")


def check_kept(look: Look, found: Findings, there: set[str]) -> None:
    """Expect the bytes of every receipt to be in the blob store. They are not read."""
    for row in look.rows("SELECT id, thread_id FROM receipts WHERE tenant_id = :tenant ORDER BY id"):
        found.expect(
            row.id.removeprefix(PREFIX) in there, f"receipt {row.id} of {row.thread_id}: its bytes are missing."
        )


def check_orphans(conn: Connection, blobs: Blobs, locks: Path, found: Findings, there: set[str]) -> None:
    """Expect no blob without a receipt that is older than the newest worker's start, which sweeps them."""
    swept_at = last_sweep_at(locks)
    found.checked += len(there)
    if swept_at is None or not isinstance(blobs, DatedBlobs):
        return
    for blob_id in sorted(there - {ref.removeprefix(PREFIX) for ref in list_refs(conn)}):
        if blobs.written_at(blob_id) < swept_at:
            found.report(f"blob {blob_id}: no receipt refers to it.")
