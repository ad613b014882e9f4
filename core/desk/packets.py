"""What a model is sent for a thread: as it was at a step, or as it would be now; what is read of memory is audited."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from core.context.show import Built, Files, Shown, as_sent, build_now
from core.desk.desk import Actor, Desk, Doors
from core.errors import BadInput, DaybookError, NotFound
from core.memory.reading import find_row
from core.threads.rows import Thread, get_thread

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


def look_at_packet(doors: Doors, desk: Desk, actor: Actor, thread_id: str, step: str | None) -> Shown:
    """Answer the packet of a step, by its name or its checkpoint's number; None: as it would be now.

    Raises NotFound, BadInput where its workflow sends nothing, SealedForErased and what reading its files raises.
    """
    with doors.read() as conn:
        thread = get_thread(conn, actor.tenant_id, thread_id)
    if step is None:
        return _now(doors, desk, actor, thread).shown(thread)
    now = None
    with suppress(DaybookError):  # what was sent is shown even where nothing could be sent now
        now = _now(doors, desk, actor, thread).admitted
    with doors.read() as conn:
        return as_sent(conn, desk.vault.keys(thread.tenant_id, thread.id), thread, step, now)


def look_what_if(doors: Doors, desk: Desk, actor: Actor, thread_id: str, memory_id: str) -> WhatIf:
    """Build a thread's packet with a record and without it. Nothing is sent; that it was looked at is noted."""
    with doors.read() as conn:
        thread = get_thread(conn, actor.tenant_id, thread_id)
        row = find_row(conn, actor.tenant_id, memory_id)
        if row is None or row.deleted_at is not None:
            raise NotFound(f"There is no memory {memory_id!r} in tenant {actor.tenant_id}.")
        if row.expires_at <= actor.now:
            raise BadInput(f"Memory {memory_id} has expired: a context with it and one without it are the same.")
        is_allowed = row.state == "quarantined"
        with_it = build(conn, desk, thread, actor.now, {memory_id: None} if is_allowed else {})
        without_it = build(conn, desk, thread, actor.now, {memory_id: WITHOUT})
    found = WhatIf(thread, memory_id, row.version, with_it.shown(thread), without_it.shown(thread), is_allowed)
    with doors.write() as tx:
        actor.note(tx, "memory_what_if", thread.id, memory=memory_id, version=row.version)
    return found


def _now(doors: Doors, desk: Desk, actor: Actor, thread: Thread) -> Built:
    """Build it, and note what was read of memory for it."""
    with doors.read() as conn:
        built = build(conn, desk, thread, actor.now, {})
    considered = [read for read in built.reads if read.considered]
    if considered:
        with doors.write() as tx:
            for read in considered:
                actor.note(tx, "memory_read", thread.id, **read.noted())
    return built


def build(conn: Connection, desk: Desk, thread: Thread, now: datetime, supposed: Mapping[str, str | None]) -> Built:
    """Build a thread's packet as it would be sent now and note nothing: for what shows no content of it."""
    files = Files(desk.blobs, desk.reader)
    return build_now(conn, desk.vault, thread, desk.workflows.get(thread.workflow), now, files, supposed)
