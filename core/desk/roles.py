"""Add a role as it was understood from its text; close it, and open it again.

Closing rejects and mails nobody. Undecided questions go to their own lane, held answers ask again, reminders are void,
and whoever was invited may book until the deadline.
"""

from __future__ import annotations

from sqlalchemy import Connection

from core.catalog.role_text import RoleDraft
from core.catalog.roles import add_role, close, find_role, refuse_closed, reopen
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.taking import take_back
from core.effects.role_closing import ROLE_CLOSED, keep_in
from core.errors import BadInput
from core.memory.expiry import role_closed, role_opened
from core.people.people import check_is_owner, check_may_decide
from core.threads.of_role import say_then, stand_at_question, wake
from core.threads.rows import threads
from core.views.of_role import (
    Closing,
    acts_before_its_end,
    ids_of,
    list_held_answers,
    of_role,
    preview_closing,
    waiting_outside,
)

KEPT_IN = "nothing goes, as the role is closed,"


def open_role(tx: Tx, actor: Actor, draft: RoleDraft) -> str:
    """Write the role and answer its id; raises BadInput where there is one by that id, NotAllowed for a viewer."""
    check_may_decide(actor.member)
    if find_role(tx.conn, actor.tenant_id, draft.id) is not None:
        raise BadInput(f"Role {draft.id} is there already; give the text another heading.")
    add_role(tx, actor.tenant_id, draft.id, draft.contents, by=actor.member.id, now=actor.now)
    actor.note(tx, "role_added", None, role=draft.id)
    return draft.id


def preview_close(conn: Connection, actor: Actor, role_id: str) -> Closing:
    """Say what closing a role would do, and write nothing; raises as closing does."""
    check_is_owner(actor.member)
    refuse_closed(conn, actor.tenant_id, role_id)
    return preview_closing(conn, actor.tenant_id, role_id)


def close_role(tx: Tx, actor: Actor, role_id: str) -> Closing:
    """Close a role, and answer what that did; raises NotFound, RoleClosed, NotAllowed unless an owner acts."""
    check_is_owner(actor.member)
    tenant_id, now = actor.tenant_id, actor.now
    close(tx, tenant_id, role_id, now)
    did = preview_closing(tx.conn, tenant_id, role_id)
    held = list_held_answers(tx.conn, tenant_id, of_role(tenant_id, role_id))
    take_back(tx, actor, held, ROLE_CLOSED, lambda _: ["role open → closed"])
    stand_at_question(tx, [*of_role(tenant_id, role_id), threads.c.id.in_([one.thread_id for one in held])], now)
    acts = acts_before_its_end(tenant_id, role_id)
    keep_in(tx, tenant_id, ids_of(of_role(tenant_id, role_id)), ids_of(acts), now)
    say_then(tx, acts, KEPT_IN, now)
    role_closed(tx, tenant_id, role_id, now)
    actor.note(tx, "role_closed", None, role=role_id, undecided=did.undecided, held=did.held, reminders=did.reminders)
    return did


def reopen_role(tx: Tx, actor: Actor, role_id: str) -> None:
    """Open a closed role again: letters may leave, and a reminder whose time has not come is ahead again.

    What is remembered until six months after its close lives on; what ended with the close stays ended.

    Raises NotFound, NotAllowed unless an owner acts, BadInput where it is open.
    """
    check_is_owner(actor.member)
    reopen(tx, actor.tenant_id, role_id)
    role_opened(tx, actor.tenant_id, role_id, actor.now)
    wake(tx, [*waiting_outside(actor.tenant_id, role_id), threads.c.then_what == KEPT_IN], actor.now)
    actor.note(tx, "role_reopened", None, role=role_id)
