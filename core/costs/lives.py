"""When models retire, as their provider said when it was last asked. Nobody is asked but by a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from core.costs.tables import ModelLifeRow
from core.db.store import Tx
from core.ports import ModelLife

_lives = ModelLifeRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of a model, and when that was."""

    model: str
    lifecycle: str
    retires_at: datetime | None
    asked_at: datetime


def list_asked(conn: Connection) -> list[Asked]:
    """Answer what was said of every model, those that retire first at the head."""
    rows = conn.execute(select(_lives).order_by(_lives.c.retires_at.is_(None), _lives.c.retires_at, _lives.c.model))
    return [Asked(*tuple(row)) for row in rows]


def write_lives(tx: Tx, said: Sequence[ModelLife], now: datetime) -> None:
    """Write what a provider says now in place of what it said before."""
    tx.conn.execute(delete(_lives))
    rows = [
        {"model": one.model, "lifecycle": one.lifecycle, "retires_at": one.retires_at, "asked_at": now} for one in said
    ]
    if rows:
        tx.conn.execute(insert(_lives), rows)
