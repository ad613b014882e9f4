"""The sending switch: one row for the whole home. While it is off the gate lets nothing out, and nothing is lost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from core.db.store import Tx
from core.db.upsert import Upsert
from core.effects.gate import OFF
from core.effects.plan import effects
from core.effects.tables import Switch

switches = Switch.__table__  # type: ignore[attr-defined]
SENDING = "sending"


@dataclass(frozen=True, slots=True)
class Sending:
    """Whether anything leaves, who said so last and when; nobody where it was never switched."""

    is_on: bool
    changed_by: str | None = None
    changed_at: datetime | None = None


def read_sending(conn: Connection) -> Sending:
    """Answer how the switch stands."""
    columns = switches.c.is_on, switches.c.changed_by, switches.c.changed_at
    row = conn.execute(select(*columns).where(switches.c.name == SENDING)).first()
    return Sending(is_on=True) if row is None else Sending(*row)


def switch_sending(tx: Tx, *, on: bool, by: str, now: datetime) -> None:
    """Write how the switch stands from now on."""
    _WRITE.run(tx.conn, [{"name": SENDING, "is_on": on, "changed_by": by, "changed_at": now}])


_WRITE = Upsert(switches, ("name",), ("is_on", "changed_by", "changed_at"))


def list_stalled(conn: Connection) -> dict[str, list[str]]:
    """Answer the threads, by tenant, whose effects the switch alone keeps from leaving."""
    stalled = (effects.c.status == "planned", effects.c.why == OFF)
    found: dict[str, list[str]] = {}
    for tenant_id, thread_id in conn.execute(select(effects.c.tenant_id, effects.c.thread_id).where(*stalled)):
        found.setdefault(tenant_id, []).append(thread_id)
    return found
