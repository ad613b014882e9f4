"""What a model is sent for a thread: as it was at a step, or as it would be now; what is read of memory is audited."""

from __future__ import annotations

from contextlib import suppress

from core.context.show import Built, Shown, as_sent, build_now
from core.desk.desk import Actor, Desk
from core.desk.forking import Doors
from core.errors import DaybookError
from core.receipts.keep import read_bytes
from core.steps import Document
from core.threads.rows import Thread, get_thread
from core.vault.sealing import Keys


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


def _now(doors: Doors, desk: Desk, actor: Actor, thread: Thread) -> Built:
    """Build it, and note what was read of memory for it."""
    with doors.read() as conn:

        def read_file(keys: Keys, ref: str) -> Document:
            return desk.reader.read(*read_bytes(conn, desk.blobs, keys, ref))

        built = build_now(conn, desk.vault, thread, desk.workflows.get(thread.workflow), actor.now, read_file)
    considered = [read for read in built.reads if read.considered]
    if considered:
        with doors.write() as tx:
            for read in considered:
                actor.note(tx, "memory_read", thread.id, **read.noted())
    return built
