"""Codes by which a person signs in once, without a password: for people in one room, for as long as a class lasts.

A code is typed from a sheet: eight letters and digits that nobody mistakes for another. The row holds its keyed hash.
It lets in whoever types it first and is gone then, or after seven days.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from core.db.store import Tx
from core.people.people import Member, member_of
from core.people.tables import PersonRow, SignInCode

_codes = SignInCode.__table__  # type: ignore[attr-defined]
_people = PersonRow.__table__  # type: ignore[attr-defined]
_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_HALF = 4
KEPT = timedelta(days=7)
USE = "sign_in_code"  # what its keyed hash is for


def new_code() -> str:
    """Answer a new code, such as K7QF-3M9D."""
    first, second = ("".join(secrets.choice(_LETTERS) for _ in range(_HALF)) for _ in range(2))
    return f"{first}-{second}"


def fold_code(typed: str) -> str:
    """Answer what was typed as it is compared: without blanks and hyphens, in capitals."""
    return "".join(one for one in typed.upper() if one.isalnum())[:40]


def add_code(tx: Tx, member: Member, code_hash: str, now: datetime) -> None:
    """Write a code's row; whoever is not active is let in by none."""
    row = {"tenant_id": member.tenant_id, "code_hash": code_hash, "person_id": member.id, "made_at": now}
    tx.conn.execute(insert(_codes).values(**row))


def find_code(conn: Connection, tenant_id: str, code_hash: str, now: datetime) -> Member | None:
    """Answer whom a code lets in, or None."""
    columns = _people.c.tenant_id, _people.c.id, _people.c.email, _people.c.name, _people.c.access, _people.c.active
    same = (_people.c.tenant_id == _codes.c.tenant_id) & (_people.c.id == _codes.c.person_id)
    row = conn.execute(
        select(*columns)
        .join(_codes, same)
        .where(
            _codes.c.tenant_id == tenant_id,
            _codes.c.code_hash == code_hash,
            _codes.c.made_at > now - KEPT,
            _people.c.active,
        )
    ).first()
    return None if row is None else member_of(row)


def take_code(tx: Tx, tenant_id: str, code_hash: str) -> bool:
    """Remove a code, and say whether it was still there: of two who type it at once one is let in."""
    taken = tx.conn.execute(delete(_codes).where(_codes.c.tenant_id == tenant_id, _codes.c.code_hash == code_hash))
    return taken.rowcount == 1


def sweep_codes(tx: Tx, now: datetime) -> None:
    """Remove codes that let nobody in any more."""
    tx.conn.execute(delete(_codes).where(_codes.c.made_at <= now - KEPT))
