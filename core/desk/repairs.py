"""Repairs: retry, park, cancel."""

from __future__ import annotations

from core.db.store import Tx
from core.desk.desk import Actor
from core.effects.plan import void_planned
from core.people.people import check_may_decide
from core.review.decide import close_all
from core.threads.repair import cancel, park, retry
from core.threads.rows import BY_HAND, get_thread


def retry_thread(tx: Tx, actor: Actor, thread_id: str) -> None:
    """Make a parked thread due at once."""
    check_may_decide(actor.member)
    retry(tx, get_thread(tx.conn, actor.tenant_id, thread_id), actor.now)
    actor.note(tx, "retried", thread_id)


def park_thread(tx: Tx, actor: Actor, thread_id: str) -> None:
    """Stop a thread where it stands; nothing of it leaves until it is retried."""
    check_may_decide(actor.member)
    park(tx, get_thread(tx.conn, actor.tenant_id, thread_id), actor.now, why=BY_HAND)
    actor.note(tx, "parked", thread_id)


def cancel_thread(tx: Tx, actor: Actor, thread_id: str) -> None:
    """End a thread: its questions are withdrawn, what it planned is void; nobody is mailed."""
    check_may_decide(actor.member)
    cancel(tx, get_thread(tx.conn, actor.tenant_id, thread_id), actor.now)
    void_planned(tx, actor.tenant_id, [thread_id], "cancelled")
    close_all(tx, actor.tenant_id, [thread_id], actor.now)
    actor.note(tx, "cancelled", thread_id)
