"""Edit what a question's answer would let out, before it is answered."""

from __future__ import annotations

from collections.abc import Mapping

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.people.people import check_may_decide, names_of
from core.review.decide import refuse_expired, refuse_moved
from core.review.edit import Edit, edited, find_choice, freeze
from core.review.read import Approval, get_approval
from core.steps import Json
from core.threads.rows import get_thread
from core.vault.subjects import refuse_erased


def edit_effects(
    tx: Tx, desk: Desk, actor: Actor, approval_id: str, seen_version: int, changes: Mapping[str, Mapping[str, Json]]
) -> Approval:
    """Freeze edited payloads, by effect key, under a new version of the question, and answer it as it stands then.

    What changes nothing raises no version. Raises NotFound, NotAllowed, AlreadyDecided, StaleVersion or BadInput;
    nothing is then changed.
    """
    check_may_decide(actor.member)
    approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    who = names_of(tx.conn, actor.tenant_id).get(approval.decided_by or "")
    refuse_moved(approval, seen_version, who)
    refuse_expired(approval, actor.now)
    thread = get_thread(tx.conn, actor.tenant_id, approval.thread_id)
    refuse_erased(tx.conn, actor.tenant_id, thread.subject_id)
    keys = desk.vault.keys(actor.tenant_id, approval.thread_id)
    for key, fields in changes.items():
        choice = find_choice(approval, key)
        payload = edited(choice, fields)
        if payload is None:
            continue
        hashed = freeze(tx, keys, approval, Edit(choice, payload, actor.member.id, actor.now))
        detail = {"approval": approval.id, "version": approval.version + 1, "key": key}
        actor.note(
            tx, "message_edited", thread.id, **detail, before=(choice.payload_hash or "")[:16], payload=hashed[:16]
        )
        approval = get_approval(tx.conn, desk.vault, actor.tenant_id, approval_id)
    return approval
