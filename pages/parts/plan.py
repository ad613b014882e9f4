"""A run's head and its plan with check marks, drawn."""

from __future__ import annotations

from collections.abc import Sequence

from core.clock import say_span
from core.views.run import Run
from core.views.sentence import say_time, sentence
from core.views.threads import PlanLine
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.run_list import chip
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, tag

ASLEEP = ("awaiting_review", "waiting")


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
    """Show the one sentence a run can say, and what it costs while it waits: nothing."""
    thread = run.thread
    asked = [one.about for one in run.approvals if one.status == "pending"]
    asleep = None
    if thread.status in ASLEEP:
        waited = say_span(here.now - thread.since_at)
        asleep = tag("p", f"Asleep as a row for {waited}; 0 processes. Next: {_next(run, here)}.", cls="asleep")
    return tag("div", tag("p", sentence(thread, here.zone, asked=asked)), asleep, cls=f"says s-{thread.status}")


def _next(run: Run, here: Here) -> str:
    thread = run.thread
    if thread.wake_at is None:
        return "a person"
    what = f" ({thread.then_what})" if thread.then_what else ""
    return f"{say_time(thread.wake_at, here.zone)}{what}"


def plan(run: Run, here: Here) -> Html:
    """Show every step with its mark and its word, one summary each, and the receipts it left."""
    moves = " moves" if run.thread.status == "running" else ""
    return tag("ol", *(_step(line, here) for line in run.plan), cls=f"plan{moves}", aria_label="Plan")


def progress(steps: Sequence[PlanLine]) -> str:
    """Say how far a plan has come."""
    done = sum(step.status == "done" for step in steps)
    return f"{done} of {wording.plural(len(steps), 'step', 'steps')} done"


def heading(word: str, beside: str | None = None) -> Html:
    """Show the heading of a part, with what is counted of it beside."""
    return tag("h2", word, tag("small", beside) if beside else None)


def _step(line: PlanLine, here: Here) -> Html:
    settled = [tag("span", wording.PLAN[line.status], cls="word"), when(line.done_at, here.zone)]
    return tag(
        "li",
        tag("span", cls="mark", aria_hidden="true"),
        tag("div", tag("span", line.title, cls="name"), tag("span", *settled, cls="settled"), cls="line"),
        tag("p", line.summary, cls="summary") if line.summary else None,
        _trace(line),
        cls=f"p-{line.status}",
    )


def _trace(line: PlanLine) -> Html | None:
    tries = tag("span", f"{line.attempts} tries") if line.attempts > 1 else None
    if not line.receipts and tries is None:
        return None
    return tag("p", *(tag("code", ref) for ref in line.receipts), tries, cls="trace")
