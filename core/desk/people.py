"""People: who is let in, who may do what. Only an owner changes others; everybody changes their own password."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

from sqlalchemy import Connection

from core.audit.note import Note, note
from core.db.store import Tx
from core.desk.desk import Actor
from core.errors import BadInput, NotAllowed
from core.identity import check_email, check_name, normalise_email
from core.keys import random_id
from core.people.accounts import (
    forget_failures,
    hash_password,
    note_failure,
    read_claim,
    refuse_blocked,
    verify,
    write_password,
)
from core.people.people import (
    Access,
    Member,
    add_person,
    change_access,
    check_is_owner,
    find_person,
    get_person,
    list_people,
)
from core.people.sessions import close_session, close_sessions_of, open_session, sweep_sessions
from core.vault.sealing import Vault


@dataclass(frozen=True, slots=True)
class Door:
    """How sign-in reaches the home: two kinds of transaction and the vault. `now` is the machine's time."""

    read: Callable[[], AbstractContextManager[Connection]]
    write: Callable[[], AbstractContextManager[Tx]]
    vault: Vault


WRONG = "That address and password do not fit together."
WRONG_NOW = "That is not your password now."
T = TypeVar("T")


def sign_in(
    door: Door, tenant_id: str, email: str, password: str, now: datetime, *, replaces: str | None = None
) -> str:
    """Answer the token of a new session; raises NotAllowed with one sentence for every wrong pair.

    `replaces` is the token the visitor came with; its session ends.
    """

    def open_new(tx: Tx, member: Member) -> str:
        sweep_sessions(tx, now)
        return let_in(tx, member, now, by="password", replaces=replaces)

    token = _try_password(door, tenant_id, email, password, now, open_new)
    if token is None:
        raise NotAllowed(WRONG)
    return token


def change_password(door: Door, actor: Actor, old: str, new: str, now: datetime) -> str:
    """Change one's own password, end every session of one's own, and answer the token of a new one.

    Raises BadInput for a password that cannot be one, NotAllowed where the old one is wrong or its name waits.
    """
    hashed = hash_password(new, actor.member)

    def change(tx: Tx, member: Member) -> str:
        set_password(tx, actor, member, hashed, now)
        return let_in(tx, member, now, by="password")

    token = _try_password(door, actor.tenant_id, actor.member.email, old, now, change)
    if token is None:
        raise NotAllowed(WRONG_NOW)
    return token


def _try_password(
    door: Door, tenant_id: str, email: str, password: str, now: datetime, then: Callable[[Tx, Member], T]
) -> T | None:
    """Do `then` if the password is right, or answer None; raises NotAllowed while the name waits.

    Every try costs one verification, whoever is named and whether the name waits. What it found is held against the
    rows once more under the write lock: a hundred tries at once get no further than five, and a password that was
    changed meanwhile lets nobody in.
    """
    name_hash = door.vault.lookup_hash(tenant_id, "sign_in", normalise_email(email))
    with door.read() as conn:
        seen = read_claim(conn, tenant_id, email, name_hash, now)
    right = verify(seen, password) is not None
    with door.write() as tx:
        claim = read_claim(tx.conn, tenant_id, email, name_hash, now)
        if claim.blocked_until is None:
            if right and claim.member is not None and claim.hash == seen.hash:
                forget_failures(tx, tenant_id, name_hash)
                return then(tx, claim.member)
            note_failure(tx, tenant_id, name_hash, claim.failures, now)
            note(tx, Note(tenant_id, now, "nobody", "sign_in_refused", None, {"name": name_hash}))
    refuse_blocked(claim, now)
    return None


def let_in(
    tx: Tx, member: Member, now: datetime, *, by: Literal["password", "demo", "code"], replaces: str | None = None
) -> str:
    """Open a session for somebody who proved to be that person, and answer its token; `replaces` ends."""
    if replaces is not None:
        close_session(tx, replaces)
    note(tx, Note(member.tenant_id, now, member.id, "signed_in", None, {"by": by}))
    return open_session(tx, member, now)


def sign_in_to_demo(tx: Tx, tenant_id: str, now: datetime, *, replaces: str | None = None) -> str:
    """Answer the token of a session as the demo's owner. The door decides whether there is a demo and who may ask."""
    owners = [one for one in list_people(tx.conn, tenant_id) if one.active and one.access == "owner"]
    if not owners:
        raise NotAllowed(f"Tenant {tenant_id} has no active owner.")
    return let_in(tx, owners[0], now, by="demo", replaces=replaces)


def sign_out(tx: Tx, member: Member, token: str, now: datetime) -> None:
    """End one session."""
    close_session(tx, token)
    note(tx, Note(member.tenant_id, now, member.id, "signed_out", None))


def add_member(tx: Tx, actor: Actor, email: str, name: str, access: Access) -> Member:
    """Add a person; raises BadInput for an address that is taken or is none, NotAllowed unless an owner asks."""
    check_is_owner(actor.member)
    typed = check_email(email)
    if find_person(tx.conn, actor.tenant_id, typed) is not None:
        raise BadInput(f"{typed} is a person of tenant {actor.tenant_id} already.")
    member = Member(actor.tenant_id, random_id("person"), typed, check_name(name), access, active=True)
    add_person(tx, member, actor.now)
    actor.note(tx, "person_added", None, person=member.id, access=access)
    return member


def set_access(tx: Tx, actor: Actor, email: str, access: Access | None) -> Member:
    """Change what a person may do; None lets them no longer act. The last active owner stays one."""
    check_is_owner(actor.member)
    member = get_person(tx.conn, actor.tenant_id, email)
    owners = [one for one in list_people(tx.conn, actor.tenant_id) if one.access == "owner" and one.active]
    if owners == [member] and access != "owner":
        raise BadInput(f"{member.email} is the last owner of tenant {actor.tenant_id}; make somebody else one first.")
    change_access(tx, member, access=access, active=access is not None)
    if access is None:
        close_sessions_of(tx, member)
    actor.note(tx, "access_changed", None, person=member.id, access=access or "none")
    return get_person(tx.conn, actor.tenant_id, email)


def set_password(tx: Tx, actor: Actor, member: Member, hashed: str, now: datetime) -> None:
    """Write a password and end every session of its person; one's own, or anybody's by an owner."""
    if actor.member.id != member.id:
        check_is_owner(actor.member)
    write_password(tx, member, hashed, now)
    ended = close_sessions_of(tx, member)
    actor.note(tx, "password_changed", None, person=member.id, sessions_ended=ended)
