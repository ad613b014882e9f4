"""Add to the audit log. Entries are chained as the last thing a transaction does, under its write lock."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import bindparam, insert, select

from core.audit.tables import AuditEntry, AuditLink
from core.clock import write_instant
from core.db.append import append_lines
from core.db.store import Tx
from core.keys import canonical, digest
from core.steps import Json

_links = AuditLink.__table__  # type: ignore[attr-defined]
_entries = AuditEntry.__table__  # type: ignore[attr-defined]
GENESIS = hashlib.sha256(b"daybook audit chain").digest()
CUT_SHORT = re.compile(rb"(?:[!-~]+(?: [0-9]*(?: [0-9a-f]{0,64})?)?)?")
_SALT = 12
_NEWEST = (
    select(_links.c.link, _links.c.digest)
    .where(_links.c.tenant_id == bindparam("tenant"))
    .order_by(_links.c.link.desc())
    .limit(1)
)
_ADD_ENTRIES = insert(_entries)
_ADD_LINK = insert(_links)


@dataclass(frozen=True, slots=True)
class Note:
    """One entry to be."""

    tenant_id: str
    at: datetime
    actor: str
    act: str
    thread_id: str | None
    detail: Mapping[str, Json] = field(default_factory=dict)


class AuditLog:
    """The chained log of one home; `heads` is the file outside the database."""

    def __init__(self, heads: Path) -> None:
        self.heads = heads

    def watch(self, tx: Tx) -> None:
        """Chain whatever this transaction notes; called once by whoever opens it."""
        tx.before_commit.append(lambda: self._chain(tx))

    def _chain(self, tx: Tx) -> None:
        for tenant_id in dict.fromkeys(note.tenant_id for note in tx.notes):
            line = _append(tx, tenant_id, [note for note in tx.notes if note.tenant_id == tenant_id])
            tx.after_commit.append(lambda line=line: self._publish(line))  # type: ignore[misc]

    def _publish(self, line: str) -> None:
        append_lines(self.heads, [line.encode()], cut=CUT_SHORT, flush=False)


def note(tx: Tx, entry: Note) -> None:
    """Add one entry to the transaction; it commits with it or not at all."""
    tx.notes.append(entry)


def _append(tx: Tx, tenant_id: str, notes: Sequence[Note]) -> str:
    newest = tx.conn.execute(_NEWEST, {"tenant": tenant_id}).first()
    number, before = (newest.link + 1, newest.digest) if newest else (1, GENESIS)
    rows = [_row(tenant_id, number, n, entry) for n, entry in enumerate(notes, 1)]
    at = notes[-1].at
    chained = digest(before, *[entry_digest(row, at) for row in rows])
    tx.conn.execute(_ADD_ENTRIES, rows)
    link = {"tenant_id": tenant_id, "link": number, "at": at, "count": len(rows), "digest": chained}
    tx.conn.execute(_ADD_LINK, link)
    return f"{tenant_id} {number} {chained.hex()}"


def _row(tenant_id: str, number: int, n: int, entry: Note) -> dict[str, Json]:
    return {
        "tenant_id": tenant_id,
        "link": number,
        "n": n,
        "actor": entry.actor,
        "act": entry.act,
        "thread_id": entry.thread_id,
        "detail": dict(entry.detail),
        "salt": os.urandom(_SALT),
    }


def entry_digest(row: Mapping[str, Json], at: datetime) -> bytes:
    """Commit to one entry: its salt, then its fields and its link's time in canonical JSON."""
    content = [
        row["tenant_id"],
        row["link"],
        row["n"],
        write_instant(at),
        row["actor"],
        row["act"],
        row["thread_id"],
        row["detail"],
    ]
    return digest(row["salt"], canonical(content))
