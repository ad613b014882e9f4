"""Run: one thread, from its plan to its plumbing, live."""

from __future__ import annotations

import streamlit as st
from sqlalchemy import Connection

from core.errors import NotFound
from core.views.run import Run, read_glance, read_run
from pages.parts import (
    doubts,
    ledger,
    left_over,
    plan,
    run_acts,
    run_compare,
    run_fork,
    run_history,
    run_model,
    run_next,
    run_plan,
    wording,
)
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.untrusted import draw, foreign, tag

RUNS = "pages/runs.py"
SHOWS = {
    "History": run_history.page,
    "What the model saw": run_model.page,
    "What happens next": run_next.page,
    "Fork": run_fork.page,
    "Compare": run_compare.page,
}


def page(here: Here, thread_id: str) -> None:
    """Draw one run, or say that there is none by that id."""
    top = st.container()
    view = st.segmented_control(
        "Show", ["Plan", *SHOWS], default="Plan", required=True, key="view", bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    try:
        with here.app.read() as conn:
            run = _read(conn, here, thread_id, str(view))
    except NotFound as missing:
        stay_live(here, mark=0, thread_id=thread_id)
        draw(tag("h1", "No such run"))
        draw(tag("p", foreign(wording.refusal(missing)), cls="empty"))
        st.page_link(RUNS, label="All runs", icon=":material/arrow_back:")
        return
    with top:
        stay_live(here, mark=run.thread.version, thread_id=thread_id)
        st.page_link(RUNS, label="Runs", icon=":material/arrow_back:")
        draw(plan.head(run))
        draw(plan.says(run, here))
        doubts.desk(run.doubts, here)
    if view in SHOWS:
        SHOWS[view](run, here)
    else:
        _plan(run, here)


def _read(conn: Connection, here: Here, thread_id: str, view: str) -> Run:
    """Read no more than the view shows."""
    if view not in SHOWS:
        return read_run(conn, here.app.vault, here.tenant_id, thread_id)
    with_plan = view == "What the model saw"
    return read_glance(conn, here.app.vault, here.tenant_id, thread_id, with_plan=with_plan)


def _plan(run: Run, here: Here) -> None:
    left, right = st.columns([1.55, 1], gap="large")
    with left:
        draw(plan.heading("Plan", plan.progress(run.plan)))
        run_plan.steps(run, here)
        run_acts.panel(run, here)
    with right:
        draw(plan.heading("Approvals"))
        draw(ledger.approvals(run.approvals, here))
        draw(plan.heading("Effects"))
        draw(ledger.effects(run.effects, here))
        draw(plan.heading("Events"))
        draw(ledger.events(run.events, here))
        left_over.ask_seen(run, here)


page(require("viewer"), st.query_params.get("id", ""))
