"""A run's head and its plan with check marks, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from core.views.run import Run
from core.views.sentence import sentence
from core.views.threads import PlanLine
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.run_list import chip
from pages.parts.untrusted import Html, foreign, tag


def head(run: Run) -> Html:
    """Show whose run it is, its goal and its status."""
    thread = run.thread
    kind = f"{thread.workflow} version {thread.workflow_version} · checkpoint {thread.checkpoint}"
    return tag(
        "header",
        tag("div", tag("h1", foreign(run.name or thread.id)), chip(thread), cls="title"),
        tag("p", tag("code", thread.id), f" · {kind}", cls="id"),
        tag("p", thread.goal, cls="goal"),
        cls="run-head",
    )


def says(run: Run, here: Here) -> Html:
    """Show the one sentence a run can say, and for a fork which run it is of."""
    thread = run.thread
    asked = [one.about for one in run.approvals if one.status == "pending"]
    return tag("div", tag("p", sentence(thread, here.zone, asked=asked)), _forked(run), cls=f"says s-{thread.status}")


def _forked(run: Run) -> Html | None:
    thread = run.thread
    if thread.forked_from is None:
        return None
    link = tag("a", foreign(thread.forked_from), href=f"/run?id={quote(thread.forked_from)}", target="_self")
    kind = (
        "A sandbox: nothing leaves it, whatever is answered."
        if thread.is_sandbox
        else "It may send what is approved in it."
    )
    return tag("p", "Forked from ", link, f" at checkpoint {thread.forked_at}. {kind}", cls="asleep")


def progress(steps: Sequence[PlanLine]) -> str:
    """Say how far a plan has come."""
    done = sum(step.status == "done" for step in steps)
    return f"{done} of {wording.plural(len(steps), 'step', 'steps')} done"


def heading(word: str, beside: str | None = None) -> Html:
    """Show the heading of a part, with what is counted of it beside."""
    return tag("h2", word, tag("small", beside) if beside else None)
