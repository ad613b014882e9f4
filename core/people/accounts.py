"""Passwords: argon2id, the same time for a name that is not there, and a wait after failures.

Verifying takes tens of milliseconds on purpose, so no transaction is open while it runs: read, verify, write.
Times here are the machine's, never a tenant's business clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import Connection, delete, select

from core.clock import say_span
from core.db.store import Tx
from core.db.upsert import Upsert
from core.errors import BadInput, NotAllowed
from core.identity import normalise_email
from core.people.people import Member, find_person
from core.people.tables import Password, PersonRow, SignInTry

_passwords = Password.__table__  # type: ignore[attr-defined]
_people = PersonRow.__table__  # type: ignore[attr-defined]
_tries = SignInTry.__table__  # type: ignore[attr-defined]
_hasher = PasswordHasher()

SHORTEST = 12
LONGEST = 256
FREE_FAILURES = 5
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Claim:
    """Who somebody says they are, read before their password is verified."""

    member: Member | None
    hash: str
    failures: int
    blocked_until: datetime | None


def read_claim(conn: Connection, tenant_id: str, email: str, name_hash: str, now: datetime) -> Claim:
    """Read what a sign-in is held against; a name that is not there reads like one that is."""
    nobody = _nobody()  # whoever asks, so that the first one to ask tells nothing by the time it took
    member = find_person(conn, tenant_id, email)
    held = None
    if member is not None and member.active:
        held = conn.execute(
            select(_passwords.c.hash).where(_passwords.c.tenant_id == tenant_id, _passwords.c.person_id == member.id)
        ).scalar_one_or_none()
    failures, wait = read_tries(conn, tenant_id, name_hash, now)
    blocked = None if wait is None else now + wait
    return Claim(member if held else None, held or nobody, failures, blocked)


@cache
def _nobody() -> str:
    """Answer what a name that is not there is verified against, so that it takes as long as one that is.

    It is hashed at the first sign-in: nine of ten processes see none, and each would take a tenth of a second longer.
    """
    return _hasher.hash("nobody has this password")


def read_tries(conn: Connection, tenant_id: str, name_hash: str, now: datetime) -> tuple[int, timedelta | None]:
    """Answer how often a name failed lately, and for how long it still waits, if it does."""
    tried = conn.execute(
        select(_tries.c.failures, _tries.c.until_at).where(
            _tries.c.tenant_id == tenant_id, _tries.c.name_hash == name_hash
        )
    ).first()
    if tried is None or tried.until_at is None:
        return 0, None
    waits = tried.failures >= FREE_FAILURES and tried.until_at > now
    return tried.failures, tried.until_at - now if waits else None


def verify(claim: Claim, password: str) -> Member | None:
    """Answer the member if the password is theirs. Takes the same time whoever is named."""
    try:
        _hasher.verify(claim.hash, password[:LONGEST])
    except (VerifyMismatchError, InvalidHashError):
        return None
    return claim.member


def refuse_blocked(claim: Claim, now: datetime) -> None:
    """Raise NotAllowed while a name waits after too many failures."""
    if claim.blocked_until is not None:
        wait = say_span(claim.blocked_until - now)
        raise NotAllowed(f"Too many failed sign-ins under this name; try again in {wait}.")


def note_failure(tx: Tx, tenant_id: str, name_hash: str, failures: int, now: datetime) -> None:
    """Write a failed sign-in; each one after the free ones doubles the wait."""
    over = max(0, failures + 1 - FREE_FAILURES)
    wait = min(FIRST_WAIT * 2 ** min(over, 10), LONGEST_WAIT)
    row = {"tenant_id": tenant_id, "name_hash": name_hash, "failures": failures + 1, "until_at": now + wait}
    _FAILED.run(tx.conn, row)


_FAILED = Upsert(_tries, ("tenant_id", "name_hash"), ("failures", "until_at"), failures=_tries.c.failures + 1)


def forget_failures(tx: Tx, tenant_id: str, name_hash: str) -> None:
    """Start a name afresh after it signed in."""
    tx.conn.execute(delete(_tries).where(_tries.c.tenant_id == tenant_id, _tries.c.name_hash == name_hash))


def has_password(conn: Connection, tenant_id: str, person_id: str | None = None) -> bool:
    """Say whether this active person has a password; without a person, whether anybody of the tenant has one."""
    same = (_people.c.tenant_id == _passwords.c.tenant_id) & (_people.c.id == _passwords.c.person_id)
    held = (
        select(_passwords.c.person_id).join(_people, same).where(_passwords.c.tenant_id == tenant_id, _people.c.active)
    )
    if person_id is not None:
        held = held.where(_passwords.c.person_id == person_id)
    return conn.execute(held.limit(1)).first() is not None


def hash_password(password: str, member: Member) -> str:
    """Hash a new password, or raise BadInput where it is too short, too long or the person's own address."""
    if len(password) < SHORTEST:
        raise BadInput(f"A password has at least {SHORTEST} characters; this one has {len(password)}.")
    if len(password) > LONGEST:
        raise BadInput(f"A password has at most {LONGEST} characters.")
    if normalise_email(password) == normalise_email(member.email):
        raise BadInput("A password is not the address it belongs to.")
    return _hasher.hash(password)


def write_password(tx: Tx, member: Member, hashed: str, now: datetime) -> None:
    """Write a person's password; whoever calls this ends their sessions in the same transaction."""
    row = {"tenant_id": member.tenant_id, "person_id": member.id, "hash": hashed, "changed_at": now}
    _SET.run(tx.conn, row)


_SET = Upsert(_passwords, ("tenant_id", "person_id"), ("hash", "changed_at"))
