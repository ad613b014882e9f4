"""Read what an engine is to be told, forget what it was told, and say which engine drives the home."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex

from sqlalchemy import Connection, delete, exists, insert, select, update

from core.db.store import Tx
from core.keys import random_id
from core.nudges.tables import EngineRow, NudgeRow
from core.threads.rows import threads
from core.threads.tables import ENDED

nudges = NudgeRow.__table__  # type: ignore[attr-defined]
engines = EngineRow.__table__  # type: ignore[attr-defined]
TEMPORAL = "temporal"


@dataclass(frozen=True, slots=True)
class Nudge:
    """One row: which thread an engine is to look at."""

    id: str
    tenant_id: str
    thread_id: str


def list_nudges(conn: Connection, *, most: int) -> list[Nudge]:
    """Answer up to so many nudges that nobody has acknowledged."""
    columns = nudges.c.id, nudges.c.tenant_id, nudges.c.thread_id
    return [Nudge(*row) for row in conn.execute(select(*columns).limit(most))]


def has_nudges(conn: Connection) -> bool:
    """Say whether anything is to be told."""
    return conn.execute(select(nudges.c.id).limit(1)).first() is not None


def forget_nudges(tx: Tx, told: Sequence[str]) -> None:
    """Delete nudges that the engine's server has acknowledged."""
    tx.conn.execute(delete(nudges).where(nudges.c.id.in_(list(told))))


def nudge_again(tx: Tx, tenant_id: str, thread_ids: Collection[str]) -> int:
    """Write a nudge for each of these threads that has none, and answer how many."""
    known = select(nudges.c.thread_id).where(nudges.c.tenant_id == tenant_id, nudges.c.thread_id.in_(thread_ids))
    told = set(tx.conn.execute(known).scalars())
    rows = [{"id": token_hex(16), "tenant_id": tenant_id, "thread_id": one} for one in thread_ids if one not in told]
    if rows:
        tx.conn.execute(insert(nudges), rows)
    return len(rows)


def list_due(conn: Connection, tenant_id: str, now: datetime, *, most: int) -> dict[str, int]:
    """Answer threads that are due and not taken, each with its lease number; it moves whenever one is taken."""
    due = (threads.c.tenant_id == tenant_id, threads.c.wake_at <= now, threads.c.lease_holder.is_(None))
    query = select(threads.c.id, threads.c.lease_no).where(*due).order_by(threads.c.wake_at).limit(most)
    return {row.id: row.lease_no for row in conn.execute(query)}


def is_driven_elsewhere(conn: Connection) -> bool:
    """Say whether an engine outside of the database drives the home."""
    return bool(conn.execute(select(exists().where(engines.c.is_on))).scalar())


def drive_by(tx: Tx, name: str, now: datetime) -> str:
    """Let an engine outside of the database drive the home, and answer what its server knows the home by.

    Where it did not before, it is told of every thread that has not ended.
    """
    row = tx.conn.execute(select(engines.c.home_id, engines.c.is_on).where(engines.c.name == name)).first()
    home_id = random_id("home") if row is None else str(row.home_id)
    if row is None:
        tx.conn.execute(insert(engines).values(name=name, home_id=home_id, is_on=True, changed_at=now))
    elif not row.is_on:
        tx.conn.execute(update(engines).where(engines.c.name == name).values(is_on=True, changed_at=now))
    if row is None or not row.is_on:
        _nudge_all(tx)
    return home_id


def _nudge_all(tx: Tx) -> None:
    going_on = select(threads.c.tenant_id, threads.c.id).where(threads.c.status.not_in(ENDED))
    rows = [{"id": token_hex(16), "tenant_id": row.tenant_id, "thread_id": row.id} for row in tx.conn.execute(going_on)]
    if rows:
        tx.conn.execute(insert(nudges), rows)


def drive_locally(tx: Tx, now: datetime) -> None:
    """Let the local engine drive the home; whatever another was still to be told is forgotten."""
    tx.conn.execute(update(engines).where(engines.c.is_on).values(is_on=False, changed_at=now))
    tx.conn.execute(delete(nudges))
