"""Keep bytes and read them back.

The bytes are written, sealed and flushed, before the transaction that refers to them commits. A process that dies in
between leaves a blob without a row; every worker removes such blobs when it starts. Whoever keeps holds the keeping
lock shared until its commit, and the sweep takes it alone, so that a blob on its way is never swept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, bindparam, insert, select

from core.db.locks import file_lock, file_lock_if_free
from core.db.store import Tx
from core.errors import NotFound
from core.keys import random_id
from core.ports import Blobs
from core.receipts.tables import ReceiptRow
from core.steps import Rule
from core.vault.sealing import Keys

_receipts = ReceiptRow.__table__  # type: ignore[attr-defined]
KEEP_RULE = Rule.CLOSE_6_MONTHS
PREFIX = "blob:"
LAST_SWEEP = "last-sweep"
_ADD = insert(_receipts)
_NAME = select(_receipts.c.name).where(
    _receipts.c.tenant_id == bindparam("tenant"),
    _receipts.c.id == bindparam("id"),
    _receipts.c.thread_id == bindparam("thread"),
)


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes that are on the device and still need their row."""

    ref: str
    thread_id: str
    media_type: str
    size: int
    hash: str
    name: bytes | None


@contextmanager
def keeping(folder: Path) -> Iterator[None]:
    """Hold the keeping lock from before the first blob until after the commit."""
    with file_lock(folder / "keeping.lock", shared=True):
        yield


class Keeping:
    """Takes the keeping lock when the first blob is kept, and holds it until the block ends.

    A step that keeps nothing holds no lock, however long it waits for a model.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held = ExitStack()
        self._begun = False

    def begin(self) -> None:
        """Hold the lock from here on."""
        if not self._begun:
            self._held.enter_context(keeping(self._folder))
            self._begun = True

    def __enter__(self) -> Self:
        """Hold nothing yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the lock up, if it was taken."""
        self._held.close()


def keep(blobs: Blobs, keys: Keys, content: bytes, media_type: str, name: str | None = None) -> Kept:
    """Seal and write bytes, flushed; `write_receipts` must follow in the same `keeping` block."""
    blob_id = random_id("b").removeprefix("b-")
    ref = PREFIX + blob_id
    blobs.put(blob_id, keys.seal(KEEP_RULE, "blobs", ref, content))
    sealed_name = keys.seal(KEEP_RULE, "receipts", ref, name.encode()) if name else None
    return Kept(ref, keys.thread_id, media_type, len(content), keys.hash(sha256(content).hexdigest()), sealed_name)


def write_receipts(tx: Tx, keys: Keys, kept: Sequence[Kept], now: datetime) -> None:
    """Write the rows of kept bytes."""
    rows = [
        {
            "tenant_id": keys.tenant_id,
            "id": one.ref,
            "thread_id": one.thread_id,
            "subject_id": keys.subject_id,
            "rule": str(KEEP_RULE),
            "media_type": one.media_type,
            "size": one.size,
            "hash": one.hash,
            "name": one.name,
            "kept_at": now,
        }
        for one in kept
    ]
    if rows:
        tx.conn.execute(_ADD, rows)


def read_bytes(conn: Connection, blobs: Blobs, keys: Keys, ref: str) -> tuple[bytes, str]:
    """Answer kept bytes and the file's name; raises NotFound for another thread's reference."""
    row = conn.execute(_NAME, {"tenant": keys.tenant_id, "id": ref, "thread": keys.thread_id}).first()
    if row is None:
        raise NotFound(f"{keys.thread_id} keeps nothing under {ref}.")
    name = keys.open(KEEP_RULE, "receipts", ref, row.name).decode() if row.name else ""
    return keys.open(KEEP_RULE, "blobs", ref, blobs.get(ref.removeprefix(PREFIX))), name


def copy_kept(conn: Connection, blobs: Blobs, source: Keys, keys: Keys) -> dict[str, Kept]:
    """Keep everything that one thread keeps for another of the same subject, and answer it by its old reference."""
    here = (_receipts.c.tenant_id == source.tenant_id, _receipts.c.thread_id == source.thread_id)
    kept = {}
    for row in conn.execute(select(_receipts.c.id, _receipts.c.media_type).where(*here).order_by(_receipts.c.id)):
        content, name = read_bytes(conn, blobs, source, row.id)
        kept[row.id] = keep(blobs, keys, content, row.media_type, name)
    return kept


def sweep_orphans(conn: Connection, blobs: Blobs, folder: Path) -> list[str]:
    """Remove blobs that no row refers to, and answer their ids; where somebody is keeping, leave it to the next start.

    A worker that waited here would wait for whatever the one that keeps waits for.
    """
    with file_lock_if_free(folder / "keeping.lock") as nobody_keeps:
        if not nobody_keeps:
            return []
        begun = folder / "begun-sweep"
        begun.touch()  # its own time, by the clock that dates the blobs, is when this sweep began
        orphans = sorted(blobs.list_ids() - {ref.removeprefix(PREFIX) for ref in list_refs(conn)})
        for blob_id in orphans:
            blobs.delete(blob_id)
        begun.replace(folder / LAST_SWEEP)
    return orphans


def last_sweep_at(folder: Path) -> datetime | None:
    """Answer when the newest sweep began, or None where none has run: an orphan that is older is damage."""
    try:
        return datetime.fromtimestamp((folder / LAST_SWEEP).stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


def list_refs(conn: Connection) -> set[str]:
    """Answer every reference of every tenant; for the sweep and for verify."""
    return set(conn.execute(select(_receipts.c.id)).scalars())
