"""Notes: a person's line in a thread. A new one is a new version; it counts once a person has approved it.

Nothing but a person writes one: what an applicant, a tool or a model says never becomes a note.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from core.db.store import Tx
from core.errors import AlreadyDecided, BadInput, NotFound
from core.steps import Noted, Rule
from core.threads.tables import NoteRow
from core.vault.sealing import Keys

_notes = NoteRow.__table__  # type: ignore[attr-defined]
NOTES_RULE = Rule.CLOSE_6_MONTHS
LONGEST_NOTE = 1000
_HERE = (_notes.c.tenant_id == bindparam("tenant"), _notes.c.thread_id == bindparam("thread"))
_ALL = select(_notes).where(*_HERE).order_by(_notes.c.version)
_LATEST = select(_notes).where(*_HERE, _notes.c.approved_at.is_not(None)).order_by(_notes.c.version.desc()).limit(1)
_NEWEST = select(func.max(_notes.c.version)).where(*_HERE)


@dataclass(frozen=True, slots=True)
class NoteLine:
    """One version of a thread's note."""

    version: int
    author_id: str
    text: str
    written_at: datetime
    approved_by: str | None
    approved_at: datetime | None


def add_note(tx: Tx, keys: Keys, text: str, *, by: str, now: datetime) -> int:
    """Write the next version of the thread's note, not approved yet, and answer its number."""
    said = text.strip()
    if not said or len(said) > LONGEST_NOTE:
        raise BadInput(f"A note is 1 to {LONGEST_NOTE} characters.")
    version = (tx.conn.execute(_NEWEST, _where(keys)).scalar() or 0) + 1
    tx.conn.execute(
        insert(_notes).values(
            tenant_id=keys.tenant_id,
            thread_id=keys.thread_id,
            version=version,
            author_id=by,
            sealed=keys.seal(NOTES_RULE, "notes", f"{keys.thread_id}#{version}", said.encode()),
            written_at=now,
        )
    )
    return version


def approve_note(tx: Tx, keys: Keys, version: int | None, *, by: str, now: datetime) -> int:
    """Approve one version (None: the newest) and answer it; the latest approved one is what counts from now on."""
    if version is None:
        version = tx.conn.execute(_NEWEST, _where(keys)).scalar()
    row = next((one for one in tx.conn.execute(_ALL, _where(keys)) if one.version == version), None)
    if row is None:
        raise NotFound(f"{keys.thread_id} has no note{'' if version is None else f' version {version}'}.")
    if row.approved_at is not None:
        raise AlreadyDecided(f"Note {row.version} of {keys.thread_id} was approved already.")
    tx.conn.execute(
        update(_notes)
        .where(
            _notes.c.tenant_id == keys.tenant_id, _notes.c.thread_id == keys.thread_id, _notes.c.version == row.version
        )
        .values(approved_by=by, approved_at=now)
    )
    return int(row.version)


def list_notes(conn: Connection, keys: Keys) -> list[NoteLine]:
    """Answer every version, oldest first."""
    return [_opened(keys, row) for row in conn.execute(_ALL, _where(keys))]


def find_latest(conn: Connection, keys: Keys) -> Noted | None:
    """Answer the latest approved note, or None."""
    row = conn.execute(_LATEST, _where(keys)).first()
    return None if row is None else Noted(row.version, _opened(keys, row).text)


def _where(keys: Keys) -> dict[str, str]:
    return {"tenant": keys.tenant_id, "thread": keys.thread_id}


def _opened(keys: Keys, row: Row[Any]) -> NoteLine:
    text = keys.open(NOTES_RULE, "notes", f"{keys.thread_id}#{row.version}", row.sealed).decode()
    return NoteLine(row.version, row.author_id, text, row.written_at, row.approved_by, row.approved_at)
