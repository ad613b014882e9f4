"""runs: what a page of the list of runs takes, and the page of one run, with many of them.

The first runs are real applications; the others are copies of one, written by SQL, so that a million take minutes and
not hours. Each figure is the best of REPEATS: what the code takes, not what else the machine did.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import text

from core.clock import FIXTURE_START
from core.views.near_names import offer_names
from core.views.run import read_run
from core.views.runs import Wanted, list_runs
from core.views.runs_order import SORTS, Place
from tests.homes import Home, open_home

REAL = 200
REPEATS = 5
_COPY = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many)
INSERT INTO threads ({columns})
SELECT {values} FROM n, threads t WHERE t.tenant_id = 'home' AND t.id = :id
"""
# One in a hundred parked, one in ten asks, the rest ended; over a month of minutes.
_CHANGED = {
    "id": "'role-14/copy-' || printf('%07d', i)",
    "status": "CASE WHEN i % 100 = 0 THEN 'parked' WHEN i % 10 = 0 THEN 'awaiting_review' ELSE 'completed' END",
    "wake_at": "NULL",
    "since_at": "strftime('%Y-%m-%dT%H:%M:00.000Z', '2026-08-20T10:00:00', '+' || (i % 43200) || ' minutes')",
    "created_at": "strftime('%Y-%m-%dT%H:%M:00.000Z', '2026-08-20T08:00:00', '-' || (i % 43200) || ' minutes')",
}


def run(many: int) -> dict[str, object]:
    """Fill a home with so many runs, and answer what pages of their list take, in ms."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        home = _fill(Path(folder) / "home", many)
        seeded_s = time.perf_counter() - began
        try:
            figures = _figures(home)
        finally:
            home.app.close()
    return {"peer": "daybook", "workload": "runs", "runs": many, "seeded_s": round(seeded_s, 1), **figures}


def _fill(folder: Path, many: int) -> Home:
    home = open_home(folder)
    home.add_role()
    for number in range(REAL):
        home.apply(f"Applicant {number} Example", f"applicant-{number}@example.com")
    home.run()
    with home.app.store.write() as tx:
        columns = [row[1] for row in tx.conn.exec_driver_sql("PRAGMA table_info(threads)")]
        values = ", ".join(_CHANGED.get(name, f"t.{name}") for name in columns)
        query = _COPY.format(columns=", ".join(columns), values=values)
        tx.conn.execute(text(query), {"many": many - REAL, "id": "role-14/app-0001"})
    return home


def _figures(home: Home) -> dict[str, float]:
    figures = {"first_ms": _best(lambda: _page(home, Wanted()))}
    figures |= {f"by_{sort}_ms": _best(lambda sort=sort: _page(home, Wanted(sort=sort))) for sort in SORTS}  # type: ignore[misc]
    deep = Place(1, "2026-09-10T00:00:00.000Z", "role-14/copy-0000000")
    figures |= {
        "deep_ms": _best(lambda: _page(home, Wanted(), deep)),
        "back_ms": _best(lambda: _page(home, Wanted(), Place(deep.shelf, deep.value, deep.id, is_before=True))),
        "parked_ms": _best(lambda: _page(home, Wanted(status="parked"))),
        "parked_by_opened_ms": _best(lambda: _page(home, Wanted(status="parked", sort="opened"))),
        "role_ms": _best(lambda: _page(home, Wanted(role_id="role-14"))),
        "find_name_ms": _best(lambda: _page(home, Wanted(find="applicant 7"))),
        "find_id_ms": _best(lambda: _page(home, Wanted(find="role-14/app-00"))),
        "offers_ms": _best(lambda: _offers(home)),
        "one_run_ms": _best(lambda: _run(home)),
    }
    return figures


def _page(home: Home, wanted: Wanted, place: Place | None = None) -> None:
    with home.app.read() as conn:
        list_runs(conn, home.app.vault, home.tenant_id, wanted, place, FIXTURE_START)


def _offers(home: Home) -> None:
    with home.app.read() as conn:
        offer_names(conn, home.app.vault, home.tenant_id, "aplicant sevn")


def _run(home: Home) -> None:
    with home.app.read() as conn:
        read_run(conn, home.app.vault, home.tenant_id, "role-14/app-0001")


def _best(look: Callable[[], None]) -> float:
    took = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        look()
        took.append((time.perf_counter() - began) * 1000)
    return round(min(took), 1)
