"""Write what lies ahead of an agent run by hand: the open steps, a line each, and why."""

from __future__ import annotations

import streamlit as st

from core.desk.replanning import Ahead, replan
from core.views.run import Run
from core.views.threads import PlanLine
from pages.parts.acting import command, done
from pages.parts.identity import Here
from pages.parts.untrusted import draw, tag

STEPS, WHY = "run.replan.steps", "run.replan.why"


def list_open(run: Run) -> list[PlanLine]:
    """Answer the rows of the plan that may be written anew: those behind the step where the run stands."""
    ahead = [line for line in run.plan if line.status == "later" and "/" in line.step]
    return [line for line in ahead if line.step != run.thread.step]


def form(run: Run, _here: Here) -> None:
    """Draw the form."""
    standing = [line.title for line in list_open(run)]
    newest = max((line.revision for line in run.plan), default=0)
    draw(
        tag(
            "p",
            "One step a line, in order. What is done stays, and so does the step where the run stands. "
            "A line that is taken out is skipped; the next call reads the plan as you leave it.",
            cls="none",
        )
    )
    st.text_area("Steps ahead", "\n".join(standing), key=STEPS, height=220, max_chars=8_000)
    st.text_input("Why", key=WHY, max_chars=300)
    lines, reason = _typed()
    st.button("Write the plan", key="run.act.replan", on_click=_write, args=(run.thread.id, newest))
    steps = [word for line in lines[:3] for word in ("--step", line)]
    command("replan", run.thread.id, *steps, "--reason", reason or "…", "--seen-revision", str(newest))


def _typed() -> tuple[tuple[str, ...], str]:
    titles, reason = (str(st.session_state.get(key) or "") for key in (STEPS, WHY))
    return tuple(line.strip() for line in titles.split("\n") if line.strip()), reason


def _write(thread_id: str, seen: int) -> None:
    """Write what stands in the form now, on the plan that was shown."""
    titles, reason = _typed()
    ahead = Ahead(titles, reason, seen)
    if done("replan", lambda tx, here: replan(tx, here.app.desk, here.actor, thread_id, ahead)):
        for key in (STEPS, WHY):
            st.session_state.pop(key, None)
