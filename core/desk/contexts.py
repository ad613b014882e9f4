"""What a thread's model would be sent now, for whoever looks; that memory was read for it is noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from core.audit.note import Note, note
from core.context.show import Built, Shown, build_now
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import BadInput, NotFound
from core.memory.reading import find_row
from core.receipts.keep import read_bytes
from core.steps import Document
from core.threads.rows import Thread, get_thread
from core.vault.sealing import Keys

Reader = Callable[[], AbstractContextManager[Connection]]
Writer = Callable[[], AbstractContextManager[Tx]]
WITHOUT = "left-out-to-compare"


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One thread's packet with a record and without it. `is_allowed`: with it as if a person had allowed it."""

    thread: Thread
    memory_id: str
    version: int
    with_it: Shown
    without_it: Shown
    is_allowed: bool

    @property
    def slots(self) -> list[str]:
        """The slots that the record fills, if it fills any."""
        return [one.slot for one in self.with_it.items if (one.source, one.id) == ("memories", self.memory_id)]


def build_context(open_read: Reader, open_tx: Writer, desk: Desk, thread: Thread, now: datetime) -> Built:
    """Build what would be sent now, and note what was read of memory for it."""
    with open_read() as conn:
        built = _build(conn, desk, thread, now, {})
    considered = [read for read in built.reads if read.considered]
    if considered:
        with open_tx() as tx:
            for read in considered:
                detail = {**read.noted(), "by": "command line"}
                note(tx, Note(thread.tenant_id, now, "context", "memory_read", thread.id, detail))
    return built


def look_what_if(
    open_read: Reader, open_tx: Writer, desk: Desk, actor: Actor, thread_id: str, memory_id: str
) -> WhatIf:
    """Build a thread's packet with a record and without it. Nothing is sent; that it was looked at is noted."""
    with open_read() as conn:
        thread = get_thread(conn, actor.tenant_id, thread_id)
        row = find_row(conn, actor.tenant_id, memory_id)
        if row is None or row.deleted_at is not None:
            raise NotFound(f"There is no memory {memory_id!r} in tenant {actor.tenant_id}.")
        if row.expires_at <= actor.now:
            raise BadInput(f"Memory {memory_id} has expired: a context with it and one without it are the same.")
        is_allowed = row.state == "quarantined"
        with_it = _build(conn, desk, thread, actor.now, {memory_id: None} if is_allowed else {})
        without_it = _build(conn, desk, thread, actor.now, {memory_id: WITHOUT})
    found = WhatIf(thread, memory_id, row.version, with_it.shown(thread), without_it.shown(thread), is_allowed)
    with open_tx() as tx:
        actor.note(tx, "memory_what_if", thread.id, memory=memory_id, version=row.version)
    return found


def _build(conn: Connection, desk: Desk, thread: Thread, now: datetime, supposed: Mapping[str, str | None]) -> Built:
    def read_file(keys: Keys, ref: str) -> Document:
        content, name = read_bytes(conn, desk.blobs, keys, ref)
        return desk.reader.read(content, name)

    return build_now(conn, desk.vault, thread, desk.workflows.get(thread.workflow), now, read_file, supposed)
