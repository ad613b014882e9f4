"""What a team's ticks are read from: its rows in one snapshot, the audit log and the journal. No memory is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from core.audit.tables import AuditEntry
from core.bootstrap import App
from core.context.show import Built
from core.desk.desk import Actor
from core.desk.packets import build
from core.effects.journal import SENDING
from core.errors import DaybookError, NotFound
from core.memory.reading import MemoryLine, list_memories
from core.people.teams import Team, Tick, read_ticks
from core.steps import Json
from core.threads.load import load_fields
from core.views.run import Run, read_run
from core.workshop.atlas import JOB, SOURCE
from core.workshop.naive import EXPORT_KEY

_entries = AuditEntry.__table__  # type: ignore[attr-defined]
POISON_SOURCE = "workshop poison"


@dataclass(frozen=True, slots=True)
class Rows:
    """What a team's ticks are read from, in one snapshot."""

    run: Run
    memories: Sequence[MemoryLine]
    forgotten: Sequence[MemoryLine]
    packet: Built | None
    saved: str
    ticks: Mapping[str, Tick]
    reads: Sequence[Mapping[str, Json]]
    sendings: int
    team: Team

    @property
    def valid(self) -> MemoryLine | None:
        """The fixture's own valid record, forgotten or not."""
        ours = [one for one in (*self.memories, *self.forgotten) if one.source == SOURCE]
        return next((one for one in ours if one.state != "expired" and one.expires_at > one.created_at), None)

    @property
    def poison(self) -> MemoryLine | None:
        """The newest record that the workshop planted to claim that policy changed."""
        return next((one for one in self.memories if one.source == POISON_SOURCE), None)

    @property
    def used(self) -> list[str]:
        """The records that the packet holds now."""
        return self.items("memories")

    def items(self, source: str) -> list[str]:
        """The ids of the packet's items that come from one table."""
        return [] if self.packet is None else [one.id for one in self.packet.admitted.items if one.source == source]

    def value(self, source: str) -> tuple[str | None, int] | None:
        """The value and version of the packet's first item from one table."""
        items = () if self.packet is None else self.packet.admitted.items
        return next(((one.value, one.version) for one in items if one.source == source), None)

    @property
    def filtered(self) -> dict[str, str]:
        """Why each record that was considered is not in the packet."""
        return (
            {} if self.packet is None else {str(one["id"]): str(one["reason"]) for one in self.packet.admitted.filtered}
        )


def read_rows(app: App, actor: Actor, team: Team) -> Rows | None:
    """Read what the ticks rest on, in one snapshot; None where the team has no job."""
    with app.read() as conn:
        try:
            run = read_run(conn, app.vault, actor.tenant_id, JOB)
        except NotFound:
            return None
        keys = app.vault.keys(actor.tenant_id, JOB)
        fields = load_fields(conn, actor.tenant_id, {JOB: keys})[JOB]
        return Rows(
            run=run,
            memories=list_memories(conn, actor.tenant_id, actor.now),
            forgotten=list_memories(conn, actor.tenant_id, actor.now, deleted=True),
            packet=_packet(app, conn, actor, run),
            saved=b" ".join(fields.values()).decode(),
            ticks=read_ticks(conn, actor.tenant_id),
            reads=_audited(conn, actor.tenant_id),
            sendings=_sendings(app, actor.tenant_id),
            team=team,
        )


def _packet(app: App, conn: Connection, actor: Actor, run: Run) -> Built | None:
    try:
        return build(conn, app.desk, run.thread, actor.now, {})
    except DaybookError:
        return None


def _audited(conn: Connection, tenant_id: str) -> list[Mapping[str, Json]]:
    """Answer what the audit log has of memory that was read for the job, oldest first, since the last reset."""
    of_job = (_entries.c.act == "memory_read") & (_entries.c.thread_id == JOB)
    rows = conn.execute(
        select(_entries.c.act, _entries.c.detail)
        .where(_entries.c.tenant_id == tenant_id, of_job | (_entries.c.act == "team_reset"))
        .order_by(_entries.c.link, _entries.c.n)
    ).all()
    begun = max((n for n, row in enumerate(rows, 1) if row.act == "team_reset"), default=0)
    return [row.detail for row in rows[begun:]]


def _sendings(app: App, tenant_id: str) -> int:
    """Count how often the export was let out to be read, by the journal beside the database, since the last reset."""
    count = 0
    for line in app.parts.journal.read():
        if (line.tenant, line.key) == (tenant_id, EXPORT_KEY):
            count = 0 if line.phase == "removed" else count + (line.phase == SENDING)
    return count
