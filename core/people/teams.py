"""The teams of a workshop: each a tenant of its own. Number 0 is the teacher's.

What a team did stands in the rows of its tenant; what no other row shows (a fact sorted, a prediction) is a tick here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from core.db.store import Tx
from core.db.upsert import Upsert
from core.errors import NotFound
from core.people.tables import TeamRow, TeamTickRow
from core.steps import Json

_teams = TeamRow.__table__  # type: ignore[attr-defined]
_ticks = TeamTickRow.__table__  # type: ignore[attr-defined]
TEACHER = "workshop"
TEACHERS_NUMBER = 0


@dataclass(frozen=True, slots=True)
class Team:
    """One team. `foreign_memory_id` is another tenant's record that may never reach it."""

    tenant_id: str
    number: int
    foreign_memory_id: str
    paused_at: datetime | None

    @property
    def is_teacher(self) -> bool:
        """Say whether this is the teacher's own tenant, from which the class is watched."""
        return self.number == TEACHERS_NUMBER


@dataclass(frozen=True, slots=True)
class Tick:
    """One thing a team did: what came of it, and when by the machine's time."""

    name: str
    detail: Mapping[str, Json]
    at: datetime


def team_id(number: int) -> str:
    """Answer the tenant of a team: team-01, and `workshop` for the teacher."""
    return TEACHER if number == TEACHERS_NUMBER else f"team-{number:02d}"


def add_team(tx: Tx, number: int, foreign_memory_id: str, now: datetime) -> None:
    """Write that a tenant is a team."""
    row = {"tenant_id": team_id(number), "number": number, "foreign_memory_id": foreign_memory_id, "opened_at": now}
    tx.conn.execute(insert(_teams).values(**row))


def list_teams(conn: Connection) -> list[Team]:
    """Answer every team by its number, the teacher's first."""
    rows = conn.execute(select(_teams).order_by(_teams.c.number))
    return [Team(row.tenant_id, row.number, row.foreign_memory_id, row.paused_at) for row in rows]


def list_team_ids(conn: Connection) -> list[str]:
    """Answer the tenants that are teams, the teacher's among them."""
    return list(conn.execute(select(_teams.c.tenant_id)).scalars())


def find_team(conn: Connection, tenant_id: str) -> Team | None:
    """Answer a tenant's team, or None where the tenant is none."""
    row = conn.execute(select(_teams).where(_teams.c.tenant_id == tenant_id)).first()
    return None if row is None else Team(row.tenant_id, row.number, row.foreign_memory_id, row.paused_at)


def get_team(conn: Connection, tenant_id: str) -> Team:
    """Answer a tenant's team, or raise NotFound."""
    team = find_team(conn, tenant_id)
    if team is None or team.is_teacher:
        raise NotFound(f"There is no team {tenant_id[:80]!r}.")
    return team


def pause_teams(tx: Tx, now: datetime | None) -> None:
    """Let every team stand still since a time, or with None go on; the teacher's own is never paused."""
    tx.conn.execute(update(_teams).where(_teams.c.number != TEACHERS_NUMBER).values(paused_at=now))


def rename_foreign(tx: Tx, tenant_id: str, foreign_memory_id: str) -> None:
    """Write which record of another tenant a team may never see."""
    tx.conn.execute(update(_teams).where(_teams.c.tenant_id == tenant_id).values(foreign_memory_id=foreign_memory_id))


def write_tick(tx: Tx, tenant_id: str, name: str, detail: Mapping[str, Json], now: datetime) -> None:
    """Write what came of one exercise; done again, the newest stands."""
    _WRITTEN.run(tx.conn, {"tenant_id": tenant_id, "tick": name, "detail": dict(detail), "at": now})


_WRITTEN = Upsert(_ticks, ("tenant_id", "tick"), ("detail", "at"))


def read_ticks(conn: Connection, tenant_id: str) -> dict[str, Tick]:
    """Answer what a team did, by the name of the exercise."""
    rows = conn.execute(select(_ticks).where(_ticks.c.tenant_id == tenant_id))
    return {row.tick: Tick(row.tick, row.detail, row.at) for row in rows}


def clear_ticks(tx: Tx, tenant_id: str) -> None:
    """Forget what a team did."""
    tx.conn.execute(delete(_ticks).where(_ticks.c.tenant_id == tenant_id))
