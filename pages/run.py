"""Run: one thread, from its plan to its plumbing, live."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFound
from core.views.run import Run
from pages.parts import doubts, ledger, left_over, plan, run_acts, run_growth, run_plan, run_receipt, run_views, wording
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.untrusted import draw, foreign, tag

RUNS = "pages/runs.py"


def page(here: Here, thread_id: str) -> None:
    """Draw one run, or say that there is none by that id."""
    top = st.container()
    view = run_views.choose()
    try:
        with here.app.read() as conn:
            run = run_views.read(conn, here, thread_id, view)
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
    if view == run_views.PLAN:
        _plan(run, here)
        run_receipt.lay(here, thread_id)
    else:
        run_views.SHOWS[view](run, here)


def _plan(run: Run, here: Here) -> None:
    left, right = st.columns([1.55, 1], gap="large")
    with left:
        draw(plan.heading("Plan", plan.progress(run.plan)))
        (run_growth if run_growth.is_led(run) else run_plan).steps(run, here)
    with right:
        draw(plan.heading("Approvals"))
        draw(ledger.approvals(run.approvals, here))
        run_acts.panel(run, here)
        draw(plan.heading("Effects"))
        draw(ledger.effects(run.effects, here))
        draw(plan.heading("Events"))
        draw(ledger.events(run.events, here))
        left_over.ask_seen(run, here)


page(require("viewer"), st.query_params.get("id", ""))
