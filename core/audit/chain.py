"""Verify the audit log: every link fits the one before it, and no tail is missing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, select

from core.audit.note import CUT_SHORT, GENESIS, entry_digest
from core.audit.tables import AuditEntry, AuditLink
from core.db.append import CUT, split_lines
from core.keys import digest

_links = AuditLink.__table__  # type: ignore[attr-defined]
_entries = AuditEntry.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Head:
    """The newest link a place knows of."""

    link: int
    digest: str


@dataclass(frozen=True, slots=True)
class Heads:
    """What the heads file holds: each tenant's heads in the order they were published, and lines nobody can read."""

    of: Mapping[str, Sequence[Head]]
    unreadable: Sequence[int]


def verify_chain(conn: Connection, tenant_id: str, published: Sequence[Head]) -> Iterator[str]:
    """Yield one sentence for each way in which a tenant's chain is broken.

    `published` are the tenant's heads in the heads file, read before the snapshot that `conn` looks at. The chain must
    hold every one of them: a database that was put back and has grown since holds the older ones only.
    """
    links = conn.execute(select(_links).where(_links.c.tenant_id == tenant_id).order_by(_links.c.link)).all()
    entries = _read_entries(conn, tenant_id, {row.link: row.at for row in links})
    before, expected, known = GENESIS, 1, {}
    for row in links:
        if row.link != expected:
            yield f"audit chain of {tenant_id}: link {expected} is missing."
        elif row.digest != digest(before, *entries[row.link]):
            yield f"audit chain of {tenant_id}: link {row.link} does not fit its entries or the link before it."
        before, expected = row.digest, row.link + 1
        known[row.link] = row.digest.hex()
    yield from _hold_against(tenant_id, known, published)


def _read_entries(conn: Connection, tenant_id: str, times: Mapping[int, datetime]) -> dict[int, list[bytes]]:
    entries: dict[int, list[bytes]] = defaultdict(list)
    rows = conn.execute(
        select(_entries).where(_entries.c.tenant_id == tenant_id).order_by(_entries.c.link, _entries.c.n)
    )
    for row in rows.mappings():
        if row["link"] in times:
            entries[row["link"]].append(entry_digest(dict(row), times[row["link"]]))
    return entries


def _hold_against(tenant_id: str, known: Mapping[int, str], published: Sequence[Head]) -> Iterator[str]:
    """Name the first head that the chain does not hold. A file that lags is caught up and is no damage."""
    newest = max(known, default=0)
    last = max((head.link for head in published), default=0)
    if last > newest:
        yield f"audit chain of {tenant_id}: ends at link {newest}, but link {last} was published; its tail is cut."
        return
    strange = next((head.link for head in published if known.get(head.link, head.digest) != head.digest), None)
    if strange is not None:
        yield f"audit chain of {tenant_id}: link {strange} is not the one that was published."


def read_heads(path: Path) -> Heads:
    """Answer the published heads of each tenant; a line that a crash cut short is left out."""
    of: dict[str, list[Head]] = defaultdict(list)
    lines, unended = split_lines(path.read_bytes() if path.exists() else b"", cut=CUT_SHORT)
    unreadable = [len(lines) + 1] if unended else []
    for number, line in enumerate(lines, 1):
        head = _HEAD.fullmatch(line)
        if head is not None:
            of[head[1].decode()].append(Head(int(head[2]), head[3].decode()))
        elif not line.endswith(CUT):
            unreadable.append(number)
    return Heads(of, unreadable)


_HEAD = re.compile(rb"([!-~]+) ([0-9]{1,15}) ([0-9a-f]{64})")
