"""Move a home's rows into another database."""

from __future__ import annotations

from core.bootstrap.app import App
from core.bootstrap.wiring import open_store
from core.db.base import Base
from core.db.moving import copy_rows
from core.db.schema import upgrade
from core.errors import BadInput
from core.nudges.tables import EngineRow, NudgeRow
from core.people.tenants import list_tenants
from core.threads.tables import WorkerRow
from core.views.health import list_workers


def move_rows(app: App, url: str) -> dict[str, int]:
    """Copy every row of a home into another database, empty and named by its URL, and answer how many each table has.

    Raises BadInput where a worker lives or the other database has rows. The home's own database stays as it is.
    """
    if url.partition("://")[0] not in ("postgresql", "sqlite"):
        raise BadInput("That is no database: name it like postgresql://NAME:PASSWORD@HOST/DATABASE.")
    with app.read() as conn:
        living = [one.id for one in list_workers(conn) if not app.is_gone(one.id)]
    if living:
        raise BadInput(f"{len(living)} workers live here: stop the app and every worker, and then move the rows.")
    target = open_store(app.settings.model_copy(update={"database_url": url}))
    try:
        upgrade(target, app.locks / "move.lock")
        with target.read() as conn:
            if list_tenants(conn):
                raise BadInput("That database has rows already: make an empty one, and move the rows there.")
        # A worker lives here and not there, and an engine's server is told anew of what moved.
        left_out = [one.__tablename__ for one in (WorkerRow, NudgeRow, EngineRow)]
        return copy_rows(app.store, target, Base.metadata.sorted_tables, left_out)
    finally:
        target.close()
