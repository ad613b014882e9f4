"""Sign-in by a code that works once: made for a person, taken by whoever comes with it first."""

from __future__ import annotations

from datetime import datetime

from core.audit.note import Note, note
from core.clock import say_span
from core.db.store import Tx
from core.desk.people import Door, let_in
from core.errors import NotAllowed
from core.people.accounts import forget_failures, note_failure, read_tries
from core.people.codes import USE, add_code, find_code, fold_code, new_code, sweep_codes, take_code
from core.people.people import Member
from core.people.sessions import sweep_sessions
from core.vault.sealing import Vault

WRONG_CODE = "That code lets nobody in: it was used, it is another team's, or it was typed otherwise."
_EVERYBODY = "everybody with a code"  # a tenant's tries by code are counted together: a code names nobody


def give_code(tx: Tx, vault: Vault, member: Member, now: datetime) -> str:
    """Answer a new code for a person, to be shown once; a tenant that waits after wrong tries waits no more."""
    code = new_code()
    add_code(tx, member, vault.lookup_hash(member.tenant_id, USE, fold_code(code)), now)
    forget_failures(tx, member.tenant_id, _tries(vault, member.tenant_id))
    note(tx, Note(member.tenant_id, now, member.id, "code_made", None))
    return code


def sign_in_by_code(door: Door, tenant_id: str, typed: str, now: datetime, *, replaces: str | None = None) -> str:
    """Answer the token of a new session, and take the code; raises NotAllowed for any other, and while tries wait.

    The tenant must be there. `replaces` is the token the visitor came with; its session ends.
    """
    code_hash, tries = door.vault.lookup_hash(tenant_id, USE, fold_code(typed)), _tries(door.vault, tenant_id)
    with door.write() as tx:
        failures, wait = read_tries(tx.conn, tenant_id, tries, now)
        member = None if wait else find_code(tx.conn, tenant_id, code_hash, now)
        if member is not None and take_code(tx, tenant_id, code_hash):
            forget_failures(tx, tenant_id, tries)
            sweep_sessions(tx, now)
            sweep_codes(tx, now)
            return let_in(tx, member, now, by="code", replaces=replaces)
        if wait is None:
            note_failure(tx, tenant_id, tries, failures, now)
            note(tx, Note(tenant_id, now, "nobody", "sign_in_refused", None, {"name": tries}))
    raise NotAllowed(WRONG_CODE if wait is None else f"Too many wrong codes here; try again in {say_span(wait)}.")


def _tries(vault: Vault, tenant_id: str) -> str:
    return vault.lookup_hash(tenant_id, "sign_in", _EVERYBODY)
