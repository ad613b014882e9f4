"""What a person writes in a thread, and approves. Nothing else writes a note."""

from __future__ import annotations

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import BadInput
from core.memory.secrets import find_secret
from core.people.people import check_may_decide
from core.threads.notes import add_note, approve_note
from core.threads.repair import wake
from core.threads.rows import get_thread
from core.vault.subjects import refuse_erased


def write_note(tx: Tx, desk: Desk, actor: Actor, thread_id: str, text: str) -> int:
    """Write the next version of a thread's note and answer its number; it counts once it is approved."""
    check_may_decide(actor.member)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    refuse_erased(tx.conn, actor.tenant_id, thread.subject_id)
    secret = find_secret(text)
    if secret is not None:
        raise BadInput(f"This looks like {secret}; a note is sent to models, so say where it is kept instead.")
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    version = add_note(tx, keys, text, by=actor.member.id, now=actor.now)
    actor.note(tx, "note_written", thread_id, version=version)
    return version


def approve_written_note(tx: Tx, desk: Desk, actor: Actor, thread_id: str, version: int | None) -> int:
    """Approve a version of a thread's note (None: the newest); questions that rest on the note are asked anew."""
    check_may_decide(actor.member)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    approved = approve_note(tx, keys, version, by=actor.member.id, now=actor.now)
    actor.note(tx, "note_approved", thread_id, version=approved)
    if not thread.has_ended:
        wake(tx, thread, actor.now)
    return approved
