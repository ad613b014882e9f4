"""costs: the Costs page over many recorded calls, each view by itself through AppTest, and the command's sums.

`page_ms` is the first view, which a person sees; the others follow. The rows are as the ledger writes them.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import median

from sqlalchemy import insert
from streamlit.testing.v1 import AppTest

from core.clock import FIXTURE_START, iso
from core.costs.tables import ModelCall
from core.views.costs import read_costs
from core.web import close_app
from pages.parts import identity
from tests.browser.conftest import ROOT
from tests.homes import Home, open_home
from tests.pages.conftest import session_of

ROUNDS = 7
VIEWS = ("Spent", "Expected", "What if", "Calls", "Rates and budgets")
_RATES = [
    {"above": 0, "fresh": 2_000_000, "cache_write_5m": 2_500_000, "cache_write_1h": 4_000_000, "cache_read": 100_000,
     "output": 10_000_000}
]  # fmt: skip


def run(count: int) -> dict[str, object]:
    """Run the workload in a home of its own and answer its line."""
    with tempfile.TemporaryDirectory() as folder:
        home = open_home(Path(folder) / "home")
        home.add_role()
        fill(home, count)
        figures: dict[str, object] = {"sums_ms": round(_timed(lambda: _sums(home)), 1)}
        figures |= _pages(home)
        home.app.close()
    return {"peer": "daybook", "workload": "costs", "calls": count, **figures}


def fill(home: Home, count: int) -> None:
    """Write calls of so many applicants: most answered, some cut off, broken off or without a price."""
    rows = [_row(home.tenant_id, n) for n in range(count)]
    for start in range(0, count, 500):
        with home.app.store.write() as tx:
            tx.conn.execute(insert(ModelCall.__table__), rows[start : start + 500])  # type: ignore[attr-defined]


def _row(tenant_id: str, n: int) -> dict[str, object]:
    status = "unknown" if n % 97 == 0 else "unfit" if n % 41 == 0 else "answered"
    is_known = status != "unknown"
    fresh, output = 3_000 + 37 * (n % 61), 180 + 7 * (n % 29)
    amount = fresh * 2_000_000 + 40 * 100_000 + output * 10_000_000
    is_priced = is_known and n % 211 != 0
    why = None if is_priced else "no_rates" if is_known else "usage_unknown"
    return {
        "tenant_id": tenant_id, "id": f"call-{n:06d}", "thread_id": f"role-14/app-{n // 2:04d}", "n": n % 2 + 1,
        "role_id": "role-14", "step": ("score", "sort")[n % 2], "checkpoint": 2 + n % 2, "lease_no": 1,
        "purpose": "score", "model": "claude-sonnet-5-5", "status": status, "tier": "standard" if is_known else None,
        "stop_reason": "max_tokens" if status == "unfit" else "end_turn" if is_known else None,
        "fresh_tokens": fresh if is_known else None, "cache_write_5m_tokens": 0 if is_known else None,
        "cache_write_1h_tokens": 0 if is_known else None, "cache_read_tokens": 40 if is_known else None,
        "output_tokens": output if is_known else None, "thinking_tokens": 20 if is_known else None,
        "rates": _RATES, "rates_source": "genai-prices", "rates_day": FIXTURE_START.date(),
        "picodollars": amount if is_priced else None, "unpriced_why": why, "processing": "standard",
        "sent_bytes": 9_000 + n % 900, "estimated_low_tokens": 2_500, "estimated_input_tokens": 3_400,
        "estimated_high_tokens": 4_700, "estimated_output_tokens": 260, "estimate_source": "calls",
        "estimate_calls": 200, "forecast_picodollars": 9_400_000_000, "estimated_picodollars": 50_000_000_000,
        "opened_at": FIXTURE_START - timedelta(minutes=n % 8_640), "closed_at": FIXTURE_START,
    }  # fmt: skip


def _sums(home: Home) -> None:
    with home.app.read() as conn:
        read_costs(conn, home.tenant_id)


def _pages(home: Home) -> dict[str, object]:
    os.environ |= {"DAYBOOK_HOME": str(home.app.home), "DAYBOOK_NOW": str(iso(FIXTURE_START))}
    token = session_of(home)
    identity.presented_token = lambda: token
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    figures: dict[str, object] = {}
    app.switch_page("pages/costs.py").run()
    for view in VIEWS:
        app.segmented_control(key="show").set_value(view).run()
        took = [_timed(app.run) for _ in range(ROUNDS)]
        name = "page" if view == VIEWS[0] else view.replace(" ", "_").lower()
        figures |= {f"{name}_ms": round(median(took)), f"{name}_most_ms": round(max(took))}
    close_app()
    return figures


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000
