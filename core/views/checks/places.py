"""Places: columns on the data map, rows that belong to something, blobs and their receipts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, inspect

from core.errors import NotFound, SealedForErased, StateUnreadable
from core.ports import Blobs
from core.receipts.keep import KEEP_RULE, PREFIX, last_sweep_at, list_refs
from core.retention.datamap import compare_columns
from core.vault.sealing import Keys
from core.views.checks.look import Findings, Look


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
            which = "a row" if row is None else f"row {row}"
            found.report(f"{table}: {which} belongs to a row of {parent} that is not there.")


def check_kept(look: Look, blobs: Blobs, found: Findings) -> None:
    """Expect the bytes of every receipt of a living thread to be in the blob store, whole."""
    keys = look.vault.keys_of(look.tenant_id, list(look.living))
    for row in look.rows("SELECT id, thread_id FROM receipts WHERE tenant_id = :tenant ORDER BY id"):
        if row.thread_id in look.living:
            wrong = _wrong_with_bytes(blobs, keys.get(row.thread_id), row.id)
            found.expect(wrong is None, f"receipt {row.id} of {row.thread_id}: its bytes are {wrong}.")


def _wrong_with_bytes(blobs: Blobs, keys: Keys | None, ref: str) -> str | None:
    try:
        sealed = blobs.get(ref.removeprefix(PREFIX))
        if keys is not None:
            keys.open(KEEP_RULE, "blobs", ref, sealed)
    except NotFound:
        return "missing"
    except StateUnreadable:
        return "damaged"
    except SealedForErased:
        return None  # its key is gone, which is said of the thread
    return None


def check_orphans(conn: Connection, blobs: Blobs, locks: Path, found: Findings) -> None:
    """Expect no blob without a receipt that is older than the newest worker's start, which sweeps them."""
    swept_at, there = last_sweep_at(locks), blobs.list_ids()
    found.checked += len(there)
    if swept_at is None:
        return
    for blob_id in sorted(there - {ref.removeprefix(PREFIX) for ref in list_refs(conn)}):
        if blobs.written_at(blob_id) < swept_at:
            found.report(f"blob {blob_id}: no receipt refers to it.")
