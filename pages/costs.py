"""Costs: what models cost, from three figures down to each call; what may be otherwise; rates, budgets and invoices."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.catalog.roles import list_roles
from pages.parts import cost_ahead, cost_calls, cost_figures, cost_rates, cost_spent, cost_what_if
from pages.parts.identity import Here, require
from pages.parts.live import stay_live

SHOWS: Mapping[str, Callable[[Here, str | None], None]] = {
    "Spent": cost_spent.page,
    "Expected": cost_ahead.page,
    "What if": cost_what_if.page,
    "Calls": cost_calls.page,
    "Rates and budgets": cost_rates.page,
}
EVERY = "Every role"


def page(here: Here) -> None:
    """Draw the three figures, and below them what is looked at."""
    stay_live(here, mark=here.frame.mark)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("Costs", anchor=False, width="content")
        role_id = _role(here)
    cost_figures.figures(here, role_id)
    view = st.segmented_control(
        "Show", list(SHOWS), default="Spent", required=True, key="show", bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    SHOWS[str(view)](here, role_id)


def _role(here: Here) -> str | None:
    with here.app.read() as conn:
        ids = [one.id for one in list_roles(conn, here.tenant_id)]
    chosen = st.selectbox("Role", [EVERY, *ids], key="of", bind="query-params", label_visibility="collapsed", width=260)
    return None if chosen == EVERY else str(chosen)


page(require("viewer"))
