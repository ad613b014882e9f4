"""Add a role as it was understood from its text."""

from __future__ import annotations

from core.catalog.role_text import RoleDraft
from core.catalog.roles import add_role, find_role
from core.db.store import Tx
from core.desk.desk import Actor
from core.errors import BadInput
from core.people.people import check_may_decide


def open_role(tx: Tx, actor: Actor, draft: RoleDraft) -> str:
    """Write the role and answer its id; raises BadInput where there is one by that id, NotAllowed for a viewer."""
    check_may_decide(actor.member)
    if find_role(tx.conn, actor.tenant_id, draft.id) is not None:
        raise BadInput(f"Role {draft.id} is there already; give the text another heading.")
    add_role(tx, actor.tenant_id, draft.id, draft.contents, by=actor.member.id, now=actor.now)
    actor.note(tx, "role_added", None, role=draft.id)
    return draft.id
