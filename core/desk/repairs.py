"""Repairs: retry, park, cancel."""

from __future__ import annotations

from core.db.store import Tx
from core.desk.desk import Actor
from core.effects.plan import void_planned
from core.errors import StaleVersion
from core.people.people import check_may_decide
from core.review.decide import close_all
from core.threads.repair import cancel, park, retry
from core.threads.rows import BY_HAND, Thread, get_thread


def retry_thread(tx: Tx, actor: Actor, thread_id: str, *, seen_version: int | None = None) -> None:
    """Make a parked thread due at once."""
    thread = _seen(tx, actor, thread_id, seen_version)
    retry(tx, thread, actor.now)
    actor.note(tx, "retried", thread_id, version=thread.version)


def park_thread(tx: Tx, actor: Actor, thread_id: str, *, seen_version: int | None = None) -> None:
    """Stop a thread where it stands; nothing of it leaves until it is retried."""
    thread = _seen(tx, actor, thread_id, seen_version)
    park(tx, thread, actor.now, why=BY_HAND)
    actor.note(tx, "parked", thread_id, version=thread.version)


def cancel_thread(tx: Tx, actor: Actor, thread_id: str, *, seen_version: int | None = None) -> None:
    """End a thread: its questions are withdrawn, what it planned is void; nobody is mailed."""
    thread = _seen(tx, actor, thread_id, seen_version)
    cancel(tx, thread, actor.now)
    void_planned(tx, actor.tenant_id, [thread_id], "cancelled")
    close_all(tx, actor.tenant_id, [thread_id], actor.now)
    actor.note(tx, "cancelled", thread_id, version=thread.version)


def _seen(tx: Tx, actor: Actor, thread_id: str, seen_version: int | None) -> Thread:
    """Answer the thread; raises StaleVersion where it is another version than the person saw."""
    check_may_decide(actor.member)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    if seen_version not in (None, thread.version):
        raise StaleVersion(
            f"You saw version {seen_version} of {thread_id}; it is version {thread.version} now ({thread.status}). "
            "Look again, and do what is right for what it is now."
        )
    return thread
