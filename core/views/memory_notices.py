"""What of memory wants a person: bounds that were passed, records that contradict each other, records in quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from core.memory.alarms import Alarm, Bounds, find_alarms
from core.views.memories import MemoryFilters, count_states


@dataclass(frozen=True, slots=True)
class MemoryNotices:
    """What of a tenant's memory wants a person."""

    alarms: Sequence[Alarm]
    contested: int
    quarantined: int


def read_notices(conn: Connection, tenant_id: str, now: datetime, bounds: Bounds) -> MemoryNotices:
    """Answer it, in two statements."""
    by_state = count_states(conn, tenant_id, MemoryFilters(), now)
    alarms = find_alarms(conn, tenant_id, now, bounds)
    return MemoryNotices(alarms, by_state.get("contested", 0), by_state.get("quarantined", 0))
