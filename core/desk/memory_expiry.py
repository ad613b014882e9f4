"""Change when records expire: who leaves when is shown first, and nothing is kept longer than its policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from core.clock import iso
from core.db.store import Tx
from core.desk.desk import Actor
from core.errors import BadInput
from core.memory.changing import set_expiry
from core.memory.expiry import latest_for
from core.memory.reading import find_rows
from core.people.people import check_may_decide

MOST = 1000


@dataclass(frozen=True, slots=True)
class Leaving:
    """One record, when it would leave now, and when it would instead; `why_not` says why it stays as it is."""

    id: str
    kind: str
    owner_id: str
    leaves_at: datetime
    would_leave_at: datetime
    latest_at: datetime
    why_not: str | None


def preview_expiry(conn: Connection, actor: Actor, seen: Mapping[str, int], at: datetime) -> list[Leaving]:
    """Answer who would leave when; writes nothing. `seen` are ids with the versions they were seen at."""
    if at.tzinfo is None or at <= actor.now:
        raise BadInput("A record's end is a time with a zone, later than now; to end it now, expire it.")
    if len(seen) > MOST:
        raise BadInput(f"That is {len(seen):,} records; at most {MOST:,} are changed at once, so narrow the filter.")
    rows = find_rows(conn, actor.tenant_id, list(seen))
    gone = [
        Leaving(one, "", "", at, at, at, "is not there any more") for one in seen if one not in {row.id for row in rows}
    ]
    return [_leaving(row, seen[row.id], at, actor.now) for row in rows] + gone


def _leaving(row: Row[Any], version: int, at: datetime, now: datetime) -> Leaving:
    latest_at = latest_for(row.kind, row.rule, row.created_at, row.expires_at)
    why_not = None
    if row.deleted_at is not None:
        why_not = "was forgotten"
    elif row.expires_at <= now:
        why_not = "has expired already"
    elif row.version != version:
        why_not = "changed since it was seen"
    elif at > latest_at:
        why_not = f"may be kept until {iso(latest_at)} at the latest"
    elif at == row.expires_at:
        why_not = "expires then already"
    return Leaving(row.id, row.kind, row.owner_id, row.expires_at, at, latest_at, why_not)


def change_expiry(tx: Tx, actor: Actor, seen: Mapping[str, int], at: datetime) -> list[Leaving]:
    """Set when records expire, and answer what became of each; raises BadInput where not one could be changed."""
    check_may_decide(actor.member)
    found = preview_expiry(tx.conn, actor, seen, at)
    changed = [one for one in found if one.why_not is None]
    if not changed:
        raise BadInput(
            "; ".join(f"Memory {one.id} {one.why_not}" for one in found[:3]) + "." if found else "No record."
        )
    for one in changed:
        version = set_expiry(tx, actor.tenant_id, one.id, at, by=actor.member.id)
        actor.note(tx, "memory_expiry_set", None, memory=one.id, version=version, until=iso(at))
    return found
