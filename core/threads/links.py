"""The page on which a subject answers a letter: its token is random, stands in the letter, and is kept as a hash."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from core.db.store import Tx
from core.steps import Json
from core.threads.rows import Thread
from core.threads.tables import AnswerLink

_links = AnswerLink.__table__  # type: ignore[attr-defined]
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_IN_A_LETTER = re.compile(r"/book/([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])")


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is new: the letter it stands in, by the end of its key, and the hash of its token."""

    letter: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a token opens."""

    tenant_id: str
    thread_id: str
    letter: str
    role_id: str | None
    slot_at: datetime | None


def make_token() -> str:
    """Answer 256 random bits as text for an address."""
    return secrets.token_urlsafe(32)


def find_token(payloads: Iterable[Mapping[str, Json]]) -> str | None:
    """Answer the token that stands in the text of one of these letters, or None."""
    texts = (str(payload.get("body", "")) for payload in payloads)
    return next((found[1] for text in texts if (found := _IN_A_LETTER.search(text))), None)


def write_links(tx: Tx, made: Sequence[tuple[Thread, Link]], now: datetime) -> None:
    """Write threads' links; those they had before open nothing from then on."""
    if not made:
        return
    tx.conn.execute(_DROP, [{"b_tenant": thread.tenant_id, "b_thread": thread.id} for thread, _ in made])
    rows = [
        {
            "tenant_id": thread.tenant_id,
            "thread_id": thread.id,
            "token_hash": link.token_hash,
            "letter": link.letter,
            "role_id": thread.role_id,
            "made_at": now,
        }
        for thread, link in made
    ]
    tx.conn.execute(_ADD, rows)


_DROP = delete(_links).where(_links.c.tenant_id == bindparam("b_tenant"), _links.c.thread_id == bindparam("b_thread"))
_ADD = insert(_links)


def is_token(text: str) -> bool:
    """Say whether this could be a token."""
    return _TOKEN.fullmatch(text) is not None


def find_link(conn: Connection, hashes: Sequence[str]) -> Found | None:
    """Answer what the token with one of these hashes (one a tenant) opens, or None."""
    row = conn.execute(select(_links).where(_links.c.token_hash.in_(list(hashes)))).first()
    if row is None or not any(hmac.compare_digest(row.token_hash, one) for one in hashes):
        return None
    return Found(row.tenant_id, row.thread_id, row.letter, row.role_id, row.slot_at)


def list_taken(conn: Connection, tenant_id: str, role_id: str) -> set[datetime]:
    """Answer the slots of a role that somebody took on their page."""
    rows = conn.execute(
        select(_links.c.slot_at).where(
            _links.c.tenant_id == tenant_id, _links.c.role_id == role_id, _links.c.slot_at.is_not(None)
        )
    )
    return {row.slot_at for row in rows}


def take_slot(tx: Tx, link: Found, slot_at: datetime) -> None:
    """Write that a slot was taken on this page; the database refuses one that is taken already."""
    here = (_links.c.tenant_id == link.tenant_id, _links.c.thread_id == link.thread_id)
    tx.conn.execute(update(_links).where(*here).values(slot_at=slot_at))
