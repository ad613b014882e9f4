"""The resume token (contract C12): it names a thread at a checkpoint and grants nothing.

Whoever presents it is authorised again, and the thread's present row decides. A tenant's token says nothing elsewhere.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json

from sqlalchemy import Connection

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import BadInput, NotFound, StaleVersion
from core.people.people import check_may_decide
from core.threads.repair import wake
from core.threads.rows import Thread, get_thread
from core.vault.sealing import Vault

LONGEST = 1000


def make_token(conn: Connection, vault: Vault, tenant_id: str, thread_id: str) -> tuple[str, Thread]:
    """Answer a token for a thread as it stands, and the thread."""
    thread = get_thread(conn, tenant_id, thread_id)
    named = json.dumps([thread.id, thread.checkpoint], separators=(",", ":")).encode()
    body = base64.urlsafe_b64encode(named).decode().rstrip("=")
    return f"{body}.{_mark(vault, tenant_id, body)}", thread


def name_thread(tx: Tx, desk: Desk, actor: Actor, token: str) -> Thread:
    """Answer the thread that a token names, for a person who may decide there, if it still stands where it stood.

    Raises NotAllowed, BadInput for what is no token, NotFound for one of another tenant, StaleVersion for a thread
    that has moved on.
    """
    check_may_decide(actor.member)
    thread_id, checkpoint = _read(desk.vault, actor.tenant_id, token)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    if thread.checkpoint != checkpoint or thread.has_ended:
        raise StaleVersion(
            f"This token names {thread_id} at checkpoint {checkpoint}; it is {thread.status} at checkpoint "
            f"{thread.checkpoint} now. Look at it as it is."
        )
    return thread


def resume_thread(tx: Tx, desk: Desk, actor: Actor, token: str) -> Thread:
    """Make the thread that a token names due now; a worker resumes it from its rows, and from nothing else."""
    thread = name_thread(tx, desk, actor, token)
    wake(tx, thread, actor.now)
    actor.note(tx, "resumed", thread.id, checkpoint=thread.checkpoint)
    return get_thread(tx.conn, actor.tenant_id, thread.id)


def _read(vault: Vault, tenant_id: str, token: str) -> tuple[str, int]:
    body, _, mark = token.partition(".")
    try:
        named = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))) if len(token) <= LONGEST else None
    except (binascii.Error, ValueError, RecursionError):
        named = None
    if not (isinstance(named, list) and [type(one) for one in named] == [str, int]):
        raise BadInput("This is no resume token; `token ID` prints one.")
    if not hmac.compare_digest(mark.encode("utf-8", "replace"), _mark(vault, tenant_id, body).encode()):
        raise NotFound(f"This token names nothing in tenant {tenant_id}.")
    return named[0], named[1]


def _mark(vault: Vault, tenant_id: str, body: str) -> str:
    return vault.lookup_hash(tenant_id, "resume_token", body).partition(":")[2]
