"""Hold a run against another one of its workflow."""

from __future__ import annotations

import streamlit as st

from core.errors import DaybookError
from core.views.compare import compare_runs
from core.views.run import Run
from pages.parts import plan, run_history
from pages.parts.acting import command
from pages.parts.identity import Here
from pages.parts.untrusted import draw, foreign, tag


def page(run: Run, here: Here) -> None:
    """Draw the box for the other run, and what differs."""
    known = run.thread.forked_from or ""
    typed = st.text_input(
        "The other run's id", value=known, key="with", bind="query-params", max_chars=200, width=320,
        placeholder="role-14/app-0001",
    ).strip()  # fmt: skip
    if not typed:
        draw(tag("p", "Name another run: what the two hold is shown side by side, where it differs.", cls="none"))
        return
    try:
        with here.app.read() as conn:
            found = compare_runs(conn, here.app.vault, here.tenant_id, run.thread.id, typed)
    except DaybookError as refused:
        draw(tag("p", foreign(refused.sentence), cls="empty"))
        return
    for name, lines in (("How they stand", found.of_rows), ("What they hold", found.of_state)):
        draw(plan.heading(name, f"{len(lines)} differ"))
        if lines:
            draw(run_history.differences(lines, run.thread.id, typed, name))
    command("compare", run.thread.id, typed, acts=False)
