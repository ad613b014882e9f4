"""The demo's migration: a shop's old database is moved into a new one, some three hundred steps."""

from __future__ import annotations

from pathlib import Path

from core.bootstrap import App
from core.demo.migration import BRIEF_FILE, LEGACY, TARGET, legacy_script, target_script
from core.desk.agents import NewRun, open_run
from core.desk.desk import Actor
from core.threads.rows import find_thread

THREAD = "shop-migration"
HOLD_SECONDS = 0  # of this run alone, so that a demo ends at the second worker; any other is held as its tenant says
GOAL = f"Move the shop's tables from {LEGACY} into {TARGET} under their new names, and say when it is done"


def seed_migration(app: App, actor: Actor, *, scale: int) -> tuple[Path, bool]:
    """Write the databases and open the run where it is not there yet; answers the target, and whether it was written.

    `scale` divides the number of rows.
    """
    folder = app.home / "targets" / actor.tenant_id / THREAD
    with app.read() as conn:
        if find_thread(conn, actor.tenant_id, THREAD) is not None:
            return folder / TARGET, False
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    app.write_database(folder / LEGACY, legacy_script(scale))
    app.write_database(folder / TARGET, target_script())
    brief = BRIEF_FILE.read_text(encoding="utf-8")
    open_run(app.write, app.desk, actor, NewRun(THREAD, GOAL, "migration", folder, brief, "shop", HOLD_SECONDS))
    return folder / TARGET, True
