"""Move a home's rows into another database, table by table, and leave the old one behind.

How far it came stands in `moving.json` in the home, so that a move that was killed goes on where it was. The last act
is `moved.json` (core.db.retired): until it is there the home is where it was, from then on it is where it moved to.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from sqlalchemy import Table

from core.adapters.disk import flush_folder, unfinished
from core.bootstrap.app import App
from core.bootstrap.wiring import open_store
from core.clock import real_now
from core.db.base import Base
from core.db.moving import Counted, copy_table, count_table
from core.db.retired import FILE, Moved, read_moved
from core.db.schema import upgrade
from core.db.store import Store, Tx
from core.errors import BadInput
from core.nudges.tables import EngineRow, NudgeRow
from core.people.tenants import list_tenants
from core.settings import Settings
from core.threads.tables import WorkerRow
from core.views.health import list_workers

PROGRESS = "moving.json"
# A worker lives here and not there; and the server of an engine is told anew of all that moved.
_STAYS = {str(one.__tablename__) for one in (WorkerRow, NudgeRow, EngineRow)}


@dataclass(frozen=True, slots=True)
class Progress:
    """Which database a move goes to, and what each table that arrived holds."""

    to: str
    tables: Mapping[str, Counted] = field(default_factory=dict)


def move_rows(app: App, url: str) -> dict[str, int]:
    """Move every row into the database of this URL, and answer how many each table has; nobody writes meanwhile.

    Begun again after a kill it goes on. Each table is read back from the other database and held against this one
    before the move is said to be done. Raises BadInput where a worker lives, where that is this home's own database,
    where rows changed here since the move was begun, or where the other one has rows that no move brought.
    """
    settings = _settings_of(app, url)
    _refuse_workers(app)
    target = open_store(settings)
    try:
        with app.store.write() as held:
            progress = _begin(app, target, settings.database_shown)
            counts = _bring(app.home, held, target, progress)
            _write(app.home, FILE, _moved(app, settings.database_shown))
            (app.home / PROGRESS).unlink()
        return counts
    finally:
        target.close()


def _settings_of(app: App, url: str) -> Settings:
    if url.partition("://")[0] not in ("postgresql", "sqlite"):
        raise BadInput("That is no database: name it like postgresql://NAME:PASSWORD@HOST/DATABASE.")
    settings = app.settings.model_copy(update={"database_url": url})
    if settings.database_shown == app.settings.database_shown:
        raise BadInput("That is the database the rows are in; name another.")
    return settings


def _refuse_workers(app: App) -> None:
    with app.read() as conn:
        living = [one.id for one in list_workers(conn) if not app.is_gone(one.id)]
    if living:
        raise BadInput(f"{len(living)} workers live here: stop the app and every worker, and then move the rows.")


def _begin(app: App, target: Store, to: str) -> Progress:
    """Answer how far a move to this database came; where none was begun, the database must be empty."""
    before = _read_progress(app.home)
    upgrade(target, app.locks / "move.lock")
    if before is not None and before.to == to:
        return before
    with target.read() as conn:
        if list_tenants(conn):
            raise BadInput("That database has rows already: make an empty one, and move the rows there.")
    _write(app.home, PROGRESS, begun := Progress(to))
    return begun


def _bring(home: Path, held: Tx, target: Store, progress: Progress) -> dict[str, int]:
    tables = [one for one in Base.metadata.sorted_tables if one.name not in _STAYS]
    arrived = dict(progress.tables)
    if any(count_table(held.conn, one) != arrived[one.name] for one in tables if one.name in arrived):
        raise BadInput("This home went on since that move was begun: make another empty database, and move there.")
    for one in tables:
        if one.name not in arrived:
            with target.write() as writing:
                arrived[one.name] = _copy(held, writing, one)
            _write(home, PROGRESS, Progress(progress.to, arrived))
    with target.read() as conn:
        wrong = [one.name for one in tables if count_table(conn, one) != arrived[one.name]]
    if wrong:
        raise BadInput(f"What arrived in {', '.join(wrong)} is not what was sent: look at the other database.")
    return {name: counted.rows for name, counted in arrived.items()}


def _copy(held: Tx, writing: Tx, one: Table) -> Counted:
    """Copy a table; one that arrived right before a kill, and of which nothing was written down, is there already."""
    there = count_table(writing.conn, one)
    if there.rows == 0:
        return copy_table(held.conn, writing.conn, one)
    if there != count_table(held.conn, one):
        raise BadInput(f"That database has rows in {one.name} that are not this home's: make an empty one.")
    return there


def _moved(app: App, to: str) -> Moved:
    before = read_moved(app.home)
    left = () if before is None else before.left
    return Moved((*(one for one in left if one != to), app.settings.database_shown), to, real_now())


def _read_progress(home: Path) -> Progress | None:
    try:
        return msgspec.json.decode((home / PROGRESS).read_bytes(), type=Progress)
    except FileNotFoundError:
        return None


def _write(home: Path, name: str, what: Progress | Moved) -> None:
    with unfinished(home, msgspec.json.encode(what)) as written:
        os.replace(written, home / name)
    flush_folder(home)
