"""Keys by which programs act: `key-1a2b….SECRET`, shown once. The row holds the SHA-256 of a secret of 256 bits."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from core.db.store import Tx
from core.errors import BadInput, NotFound
from core.keys import random_id
from core.people.people import Member
from core.people.tables import ApiKeyRow

_keys = ApiKeyRow.__table__  # type: ignore[attr-defined]
VERBS = ("apply", "events")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_NOBODY = sha256(b"no key has this secret").hexdigest()


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key's row without the digest of its secret."""

    tenant_id: str
    id: str
    name: str
    verbs: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None

    @property
    def member(self) -> Member:
        """Answer who acts when a program does: the key, by its id, with what a reviewer may do at most."""
        return Member(self.tenant_id, self.id, "", self.name, "reviewer", active=self.revoked_at is None)


def make_key(tx: Tx, member: Member, name: str, verbs: Sequence[str], now: datetime) -> tuple[ApiKey, str]:
    """Write a key and answer it with the text that opens it; raises BadInput for a name or a verb that cannot be."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name[:40]!r} is no name for a key; use up to 40 small letters, digits and hyphens.")
    wrong = [verb for verb in verbs if verb not in VERBS]
    if wrong or not verbs:
        raise BadInput(f"A key may {' or '.join(VERBS)}; {', '.join(wrong) or 'nothing'} was asked for.")
    if any(key.name == name for key in list_keys(tx.conn, member.tenant_id) if key.revoked_at is None):
        raise BadInput(f"There is a key {name} already; revoke it first, or take another name.")
    secret = secrets.token_urlsafe(32)
    key = ApiKey(member.tenant_id, random_id("key"), name, tuple(dict.fromkeys(verbs)), now, None)
    row = {
        "tenant_id": key.tenant_id,
        "id": key.id,
        "name": name,
        "secret_digest": _digest(secret),
        "verbs": list(key.verbs),
        "created_by": member.id,
        "created_at": now,
    }
    tx.conn.execute(insert(_keys).values(**row))
    return key, f"{key.id}.{secret}"


def revoke_key(tx: Tx, member: Member, name: str, now: datetime) -> ApiKey:
    """Let a key open nothing any more, or raise NotFound."""
    key = next((key for key in list_keys(tx.conn, member.tenant_id) if name == key.name and not key.revoked_at), None)
    if key is None:
        raise NotFound(f"There is no living key {name[:40]!r} in tenant {member.tenant_id}; `key list` shows them.")
    here = (_keys.c.tenant_id == key.tenant_id, _keys.c.id == key.id)
    tx.conn.execute(update(_keys).where(*here).values(revoked_by=member.id, revoked_at=now))
    return ApiKey(key.tenant_id, key.id, key.name, key.verbs, key.created_at, now)


def list_keys(conn: Connection, tenant_id: str) -> list[ApiKey]:
    """Answer a tenant's keys in the order they were made, revoked ones too."""
    query = select(_keys).where(_keys.c.tenant_id == tenant_id).order_by(_keys.c.created_at, _keys.c.name, _keys.c.id)
    return [_key(row) for row in conn.execute(query)]


def find_key(conn: Connection, presented: str) -> ApiKey | None:
    """Answer the living key that this text opens, or None; a wrong secret takes as long as a right one."""
    key_id, _, secret = presented.partition(".")
    row = conn.execute(select(_keys).where(_keys.c.id == key_id)).first()
    fits = hmac.compare_digest(_digest(secret), _NOBODY if row is None else row.secret_digest)
    return _key(row) if row is not None and fits and row.revoked_at is None else None


def _key(row: Row[Any]) -> ApiKey:
    return ApiKey(row.tenant_id, row.id, row.name, tuple(row.verbs), row.created_at, row.revoked_at)


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
