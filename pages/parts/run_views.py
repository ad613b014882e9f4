"""The views of one run: which one the address names, and what is read for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from sqlalchemy import Connection

from core.views.run import Run, read_glance, read_run
from pages.parts import run_compare, run_fork, run_history, run_model, run_next
from pages.parts.identity import Here

PLAN, MODEL = "Plan", "What the model saw"
SHOWS: Mapping[str, Callable[[Run, Here], None]] = {
    "History": run_history.page,
    MODEL: run_model.page,
    "What happens next": run_next.page,
    "Fork": run_fork.page,
    "Compare": run_compare.page,
}


def choose() -> str:
    """Draw what there is to look at, and answer what is looked at."""
    return str(
        st.segmented_control(
            "Show", [PLAN, *SHOWS], default=PLAN, required=True, key="view", bind="query-params",
            label_visibility="collapsed",
        )
    )  # fmt: skip


def read(conn: Connection, here: Here, thread_id: str, view: str) -> Run:
    """Read no more than the view shows. Raises NotFound."""
    if view == PLAN:
        return read_run(conn, here.app.vault, here.tenant_id, thread_id)
    return read_glance(conn, here.app.vault, here.tenant_id, thread_id, with_plan=view == MODEL)
