"""How a role's calls are asked: whether rubric and description are cached over there, and when calls go by batch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal, cast
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, insert, select

from core.costs.tables import WayRow
from core.db.store import Tx

_ways = WayRow.__table__  # type: ignore[attr-defined]
Cache = Literal["none", "5m", "1h"]
Hours = tuple[time, time]


@dataclass(frozen=True, slots=True)
class Way:
    """One way. `overnight` is from when until when, local time, calls go by batch; None: each goes by itself."""

    cache: Cache = "none"
    overnight: Hours | None = None
    zone: str = "UTC"
    version: int = 0

    def is_night(self, now: datetime) -> bool:
        """Say whether nobody waits now: it is between both times, over midnight where the first is the later one."""
        if self.overnight is None:
            return False
        here, (first, last) = now.astimezone(ZoneInfo(self.zone)).time(), self.overnight
        return first <= here < last if first <= last else here >= first or here < last


def find_way(conn: Connection, tenant_id: str, role_id: str | None) -> Way:
    """Answer how a role's calls are asked; where nobody has said, one by one and without a cache."""
    w = _ways.c
    row = conn.execute(
        select(_ways).where(w.tenant_id == tenant_id, w.role_id == (role_id or "")).order_by(w.version.desc()).limit(1)
    ).first()
    if row is None:
        return Way()
    hours = None
    if row.batch_from is not None and row.batch_until is not None:
        hours = (time.fromisoformat(row.batch_from), time.fromisoformat(row.batch_until))
    return Way(cast("Cache", row.cache), hours, row.zone, row.version)


def write_way(tx: Tx, tenant_id: str, role_id: str, way: Way, *, by: str, now: datetime) -> int:
    """Write the next version of a role's way, and answer its number."""
    version = find_way(tx.conn, tenant_id, role_id).version + 1
    first, last = (None, None) if way.overnight is None else (f"{at:%H:%M}" for at in way.overnight)
    tx.conn.execute(
        insert(_ways).values(
            tenant_id=tenant_id,
            role_id=role_id,
            version=version,
            cache=way.cache,
            batch_from=first,
            batch_until=last,
            zone=way.zone,
            set_by=by,
            set_at=now,
        )
    )
    return version
