"""Verify the audit log: every link fits the one before it, and no tail is missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, select

from core.audit.note import GENESIS, entry_digest
from core.audit.tables import AuditEntry, AuditLink
from core.keys import digest

_links = AuditLink.__table__  # type: ignore[attr-defined]
_entries = AuditEntry.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Head:
    """The newest link a place knows of."""

    link: int
    digest: str


def verify_chain(conn: Connection, tenant_id: str, published: Head | None) -> Iterator[str]:
    """Yield one sentence for each way in which a tenant's chain is broken.

    `published` is the newest head of the heads file, read before the snapshot that `conn` looks at.
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


def _hold_against(tenant_id: str, known: dict[int, str], head: Head | None) -> Iterator[str]:
    newest = max(known, default=0)
    if head is None:
        return  # a file that lags is caught up by the next commit and is no damage
    if head.link > newest:
        yield f"audit chain of {tenant_id}: ends at link {newest}, but link {head.link} was published; its tail is cut."
    elif known.get(head.link) != head.digest:
        yield f"audit chain of {tenant_id}: link {head.link} is not the one that was published."


def read_heads(path: Path) -> dict[str, Head]:
    """Answer the newest published head of each tenant; a half-written last line is left out."""
    heads: dict[str, Head] = {}
    if not path.exists():
        return heads
    for line in path.read_text().splitlines():
        parts = line.split(" ")
        if len(parts) == 3 and parts[1].isdigit() and len(parts[2]) == 64:
            tenant_id, link, published = parts[0], int(parts[1]), parts[2]
            if tenant_id not in heads or link >= heads[tenant_id].link:
                heads[tenant_id] = Head(link, published)
    return heads
