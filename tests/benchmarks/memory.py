"""memory: filters and a text search of the Memory page over many records, each under a key of its own.

A key of its own is the worst there is for a search: every text takes its own key to open. `cold` is the first search of
a process, which opens every key; the others find them open. `cpu` is the processor's time of one look, which other work
on the machine lengthens less. The page's own run is timed apart, through AppTest.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import quantiles

from streamlit.testing.v1 import AppTest

from core.clock import FIXTURE_START, iso
from core.memory.kinds import KINDS
from core.memory.memory import remember
from core.steps import Record, Rule
from core.views.memories import MemoryFilters, find_memories, list_found
from core.web import close_app
from pages.parts import identity
from tests.browser.conftest import ROOT
from tests.homes import Home, open_home
from tests.pages.conftest import session_of

ROUNDS = 20
_FILTERS = {
    "all": MemoryFilters(),
    "filter": MemoryFilters(state="live", kind="fact", trust=2, confidence=0.5, expires_within=timedelta(days=400)),
    "search": MemoryFilters(find="harbour fortnight"),
    "filter_and_search": MemoryFilters(state="live", kind="fact", find="billed 7"),
}


def run(count: int) -> dict[str, object]:
    """Run the workload in a home of its own and answer its line."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        home = _fill(Path(folder) / "home", count)
        seeded_s = round(time.perf_counter() - began, 1)
        home.app.close()
        home = open_home(home.app.home)  # nothing is open yet, as in a process that has just started
        figures: dict[str, object] = {"cold_search_ms": round(_timed(lambda: _look(home, _FILTERS["search"])))}
        for name, wanted in _FILTERS.items():
            used = time.process_time()
            took = [_timed(lambda wanted=wanted: _look(home, wanted)) for _ in range(ROUNDS)]
            cpu_ms = (time.process_time() - used) * 1000 / ROUNDS
            figures |= {f"{name}_p50_ms": round(quantiles(took, n=20)[9]), f"{name}_most_ms": round(max(took))}
            figures[f"{name}_cpu_ms"] = round(cpu_ms)
        figures |= _pages(home)
        home.app.close()
    return {"peer": "daybook", "workload": "memory", "records": count, "seeded_s": seeded_s, **figures}


def _fill(folder: Path, count: int) -> Home:
    home, names = open_home(folder), list(KINDS)
    vault, tenant, now = home.app.vault, home.tenant_id, home.actor.now
    vault.make(tenant, [(f"sub-{n}", f"memory/{n}", (Rule.BY_DATE,)) for n in range(count)])
    for start in range(0, count, 500):
        with home.app.write() as tx:
            for n in range(start, min(start + 500, count)):
                text = f"Client {n} of the harbour quarter is billed by the {'fortnight' if n % 50 == 0 else 'month'}."
                record = Record(
                    names[n % len(names)], f"client/{n}", text, 0.4 + n % 6 / 10, Rule.BY_DATE,
                    origin="document" if n % 9 == 0 else "person",
                )  # fmt: skip
                remember(tx, vault, vault.keys(tenant, f"memory/{n}"), record, source_ref=f"batch {n // 50}", now=now)
    return home


def _look(home: Home, filters: MemoryFilters) -> None:
    vault, now = home.app.vault, FIXTURE_START
    with home.app.read() as conn:
        found = find_memories(conn, vault, home.tenant_id, filters, now)
        shown = list_found(conn, vault, home.tenant_id, found, now, 1)
    if not shown:
        raise RuntimeError("The benchmark found nothing, so it timed nothing.")


def _pages(home: Home) -> dict[str, object]:
    os.environ |= {"DAYBOOK_HOME": str(home.app.home), "DAYBOOK_NOW": str(iso(FIXTURE_START))}
    token = session_of(home)
    identity.presented_token = lambda: token
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page("pages/memory.py").run()
    app.run()
    figures: dict[str, object] = {"page_ms": round(_timed(app.run))}
    app.text_input(key="text").set_value("harbour fortnight").run()
    figures["page_search_ms"] = round(_timed(app.run))
    close_app()
    return figures


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000
