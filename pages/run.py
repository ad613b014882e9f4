"""Run: one thread, from its plan to its plumbing, live."""

from __future__ import annotations

import streamlit as st

from core.desk.asking import ask_thread, may_ask
from core.errors import NotFound
from core.views.run import Run, read_run
from pages.parts import doubts, ledger, left_over, plan, wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.untrusted import draw, foreign, tag

RUNS, RETRACT = "pages/runs.py", "retract"


def page(here: Here, thread_id: str) -> None:
    """Draw one run, or say that there is none by that id."""
    try:
        with here.app.read() as conn:
            run = read_run(conn, here.app.vault, here.tenant_id, thread_id)
    except NotFound as missing:
        stay_live(here, mark=0, thread_id=thread_id)
        draw(tag("h1", "No such run"))
        draw(tag("p", foreign(wording.refusal(missing)), cls="empty"))
        st.page_link(RUNS, label="All runs", icon=":material/arrow_back:")
        return
    stay_live(here, mark=run.thread.version, thread_id=thread_id)
    st.page_link(RUNS, label="Runs", icon=":material/arrow_back:")
    draw(plan.head(run))
    draw(plan.says(run, here))
    doubts.desk(run.doubts, here)
    left, right = st.columns([1.55, 1], gap="large")
    with left:
        _plan(run, here)
    with right:
        _outside(run, here)


def _plan(run: Run, here: Here) -> None:
    draw(plan.heading("Plan", plan.progress(run.plan)))
    draw(plan.plan(run, here))
    if run.attempts:
        broken = run.thread.status in ("parked", "failed")
        with st.expander(wording.counted("Attempts", len(run.attempts)), expanded=broken, key="run.attempts"):
            draw(ledger.attempts(run.attempts, here))
    if run.calls:
        with st.expander(wording.counted("Model calls", len(run.calls)), key="run.calls"):
            draw(ledger.calls(run.calls, here))
    with st.expander(wording.counted("Checkpoints", len(run.checkpoints)), key="run.checkpoints"):
        draw(ledger.checkpoints(run.checkpoints, here))


def _outside(run: Run, here: Here) -> None:
    draw(plan.heading("Approvals"))
    draw(ledger.approvals(run.approvals, here))
    draw(plan.heading("Effects"))
    draw(ledger.effects(run.effects, here))
    draw(plan.heading("Events"))
    draw(ledger.events(run.events, here))
    if may_ask(here.app.desk, run.thread, RETRACT) and here.actor.member.may_decide:
        st.button("Retract the invite", key="run.retract", on_click=_retract, args=(run.thread.id,))
    left_over.ask_seen(run, here)


def _retract(thread_id: str) -> None:
    here = require("viewer")
    act(here, "retract", lambda tx: ask_thread(tx, here.app.desk, here.actor, thread_id, RETRACT))


page(require("viewer"), st.query_params.get("id", ""))
