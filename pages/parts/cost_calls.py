"""The ledger of calls, the newest first, and all of it as a table to take along."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from core.views.call_ledger import PAGE, LedgerLine, count_calls, export_calls, list_ledger
from pages.parts.cost_charts import Behind, table
from pages.parts.cost_spent import NOTHING
from pages.parts.identity import Here
from pages.parts.money import money, tokens
from pages.parts.plan import heading
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, tag

_HEADS = ("When", "Run", "Step", "Model", "What came of it", "Read", "Written", "Recorded", "Expected", "Rates")


def page(here: Here, role_id: str | None) -> None:
    """Draw one page of the ledger."""
    with here.app.read() as conn:
        total = count_calls(conn, here.tenant_id, role_id)
    draw(heading("Calls", f"{total:,} that left this machine"))
    if not total:
        draw(tag("p", NOTHING, cls="empty"))
        return

    def made() -> bytes:
        with here.app.read() as conn:
            return export_calls(conn, here.tenant_id, role_id)

    file = f"calls-{role_id or here.tenant_id}.csv"
    st.download_button(
        "Export as CSV", made, file, "text/csv", key="costs.export",
        on_click="ignore", icon=":material/download:", type="tertiary",
    )  # fmt: skip
    pages = -(-total // PAGE)
    place = st.container()
    number = min(st.pagination(pages, key="p", bind="query-params"), pages) if pages > 1 else 1
    with here.app.read() as conn:
        lines = list_ledger(conn, here.tenant_id, role_id, number)
    with place:
        draw(table(Behind(_HEADS, [_row(one, here) for one in lines], "Model calls, the newest first")))


def _row(one: LedgerLine, here: Here) -> tuple[str | Html | None, ...]:
    said = one.status if one.why is None else f"{one.status}: {one.why}"
    return (
        when(one.opened_at, here.zone),
        tag("a", foreign(one.thread_id), href=f"/run?id={quote(one.thread_id)}", target="_self"),
        foreign(one.step),
        foreign(one.model + (", batch" if one.processing == "batch" else "")),
        said,
        "unknown" if one.read is None else tokens(one.read),
        "unknown" if one.written is None else tokens(one.written),
        f"none: {one.unpriced_why}" if one.recorded is None else money(one.recorded),
        None if one.forecast is None else money(one.forecast),
        foreign(one.rates_source or "no list knows it"),
    )
