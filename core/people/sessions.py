"""Sessions: rows behind a cookie. The cookie holds a random token, the row only its SHA-256.

A session ends 12 hours after it was last seen, 7 days after it started, when its person signs out, changes their
password or leaves. Times here are the machine's, never a tenant's business clock.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from core.db.store import Tx
from core.people.people import Member, member_of
from core.people.tables import PersonRow, SignedIn, SignInTry

_sessions = SignedIn.__table__  # type: ignore[attr-defined]
_people = PersonRow.__table__  # type: ignore[attr-defined]
_tries = SignInTry.__table__  # type: ignore[attr-defined]
IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(days=7)
SEEN_EVERY = timedelta(minutes=1)
TRIES_KEPT = timedelta(days=1)


def open_session(tx: Tx, member: Member, now: datetime) -> str:
    """Write a session and answer the token for its cookie; always a new one."""
    token = secrets.token_urlsafe(32)
    row = {
        "token_hash": _hash(token),
        "tenant_id": member.tenant_id,
        "person_id": member.id,
        "started_at": now,
        "seen_at": now,
    }
    tx.conn.execute(insert(_sessions).values(**row))
    return token


def find_session(conn: Connection, token: str, now: datetime) -> tuple[Member, bool] | None:
    """Answer who holds this token, and whether the row should be touched; None where it does not let in."""
    row = conn.execute(LIVING, presented(token, now)).first()
    return None if row is None else (member_of(row), is_due(row, now))


def presented(token: str, now: datetime) -> dict[str, object]:
    """Answer what `LIVING` is asked with."""
    return {"token": _hash(token), "idle": now - IDLE, "old": now - ABSOLUTE}


def is_due(row: Any, now: datetime) -> bool:
    """Say whether a session's row should be touched; once a minute is enough."""
    return bool(now - row.seen_at >= SEEN_EVERY)


# A member's columns, then when the session was seen, of the session that a token opens.
LIVING = (
    select(
        _people.c.tenant_id,
        _people.c.id,
        _people.c.email,
        _people.c.name,
        _people.c.access,
        _people.c.active,
        _sessions.c.seen_at,
    )
    .join(_people, (_people.c.tenant_id == _sessions.c.tenant_id) & (_people.c.id == _sessions.c.person_id))
    .where(
        _sessions.c.token_hash == bindparam("token"),
        _sessions.c.seen_at > bindparam("idle", type_=_sessions.c.seen_at.type),
        _sessions.c.started_at > bindparam("old", type_=_sessions.c.seen_at.type),
        _people.c.active,
    )
)


def touch_session(tx: Tx, token: str, now: datetime) -> None:
    """Write that a session was seen."""
    tx.conn.execute(update(_sessions).where(_sessions.c.token_hash == _hash(token)).values(seen_at=now))


def close_session(tx: Tx, token: str) -> None:
    """End one session."""
    tx.conn.execute(delete(_sessions).where(_sessions.c.token_hash == _hash(token)))


def close_sessions_of(tx: Tx, member: Member) -> int:
    """End every session of a person, and answer how many there were."""
    ended = tx.conn.execute(
        delete(_sessions).where(_sessions.c.tenant_id == member.tenant_id, _sessions.c.person_id == member.id)
    )
    return int(ended.rowcount)


def sweep_sessions(tx: Tx, now: datetime) -> None:
    """Remove sessions that let nobody in any more, and failed tries that hold nobody back any more."""
    tx.conn.execute(delete(_tries).where(_tries.c.until_at <= now - TRIES_KEPT))
    tx.conn.execute(
        delete(_sessions).where((_sessions.c.seen_at <= now - IDLE) | (_sessions.c.started_at <= now - ABSOLUTE))
    )


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
