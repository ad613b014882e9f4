"""today: what the front page takes, with many runs behind it; the rows are those of `runs`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.clock import FIXTURE_START
from core.views.digest import write_digest
from core.views.frame import read_frame
from core.views.today import Place, read_today
from tests.benchmarks import runs
from tests.homes import Home


def run(many: int) -> dict[str, object]:
    """Fill a home with so many runs, and answer what its front page and its digest take from the database, in ms."""
    with tempfile.TemporaryDirectory() as folder:
        home = runs.fill(Path(folder) / "home", many)
        try:
            figures = {
                "frame_ms": runs.best(lambda: _frame(home)),
                "today_ms": runs.best(lambda: _today(home)),
                "digest_ms": runs.best(lambda: _digest(home)),
            }
        finally:
            home.app.close()
    return {"peer": "daybook", "workload": "today", "runs": many, **figures}


def _frame(home: Home) -> None:
    with home.app.read() as conn:
        read_frame(conn, home.tenant_id)


def _today(home: Home) -> None:
    with home.app.read() as conn:
        read_today(conn, home.app.vault, home.tenant_id, FIXTURE_START, Place())


def _digest(home: Home) -> None:
    with home.app.read() as conn:
        write_digest(conn, home.app.vault, home.tenant_id, FIXTURE_START, home.app.zone, "http://localhost")
