"""The plan of a run that a model leads: each row with its line and receipts, and each revision where it was made.

Titles, reasons and lines are a model's or a tool's words, so all of it is drawn as text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.context.show import Files
from core.views.growth import Growth, read_growth
from core.views.plans import Revised
from core.views.run import Run
from core.views.threads import Attempt, PlanLine
from pages.parts import run_receipt, wording
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, tag


def is_led(run: Run) -> bool:
    """Say whether rows were written into this run's plan as it went on."""
    return any(line.revision for line in run.plan)


def steps(run: Run, here: Here) -> None:
    """Draw the plan as it grew, below what the next call reads."""
    growth = _read(run, here)
    if growth.next_tokens is not None and growth.transcript_tokens is not None:
        draw(tag("p", _reads(growth.next_tokens, growth.transcript_tokens), cls="id"))
    revised = {one.n: one for one in growth.revisions}
    tries: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in run.attempts:
        tries[attempt.step].append(attempt)
    rows: list[Html] = []
    for line in run.plan:
        revision = revised.pop(line.revision, None)
        if revision is not None:
            rows.append(_revision(revision, here))
        rows.append(_row(run.thread.id, line, tries.get(line.step, ()), here))
    rows += [_revision(one, here) for one in revised.values()]  # those that only took rows away
    moves = " moves" if run.thread.status == "running" else ""
    draw(tag("ol", *rows, cls=f"plan{moves}", aria_label="Plan"))


def _read(run: Run, here: Here) -> Growth:
    desk = here.app.desk
    with here.app.read() as conn:
        workflow = desk.workflows.get(run.thread.workflow)
        return read_growth(conn, desk.vault, run.thread, workflow, Files(desk.blobs, desk.reader), here.now)


def _reads(next_tokens: int, transcript_tokens: int) -> str:
    return f"The next call reads {next_tokens:,} tokens; a replayed transcript would read {transcript_tokens:,}."


def _revision(one: Revised, here: Here) -> Html:
    count = wording.plural(one.added_count, "step", "steps")
    dropped = f", {one.dropped_count} dropped" if one.dropped_count else ""
    head = tag("span", foreign(f"Plan {one.n} by {one.by}: {count}{dropped}"), cls="name")
    line = tag("div", head, tag("span", when(one.at, here.zone), cls="settled"), cls="line")
    body = tag("div", line, tag("p", foreign(one.reason), cls="summary"))
    return tag("li", tag("span", cls="mark", aria_hidden="true"), body, cls="p-later")


def _row(thread_id: str, line: PlanLine, tries: Sequence[Attempt], here: Here) -> Html:
    settled = [tag("span", wording.PLAN[line.status], cls="word"), when(line.done_at, here.zone)]
    failed = [tag("p", foreign(f"Tried in vain: {one.said or one.code}"), cls="summary") for one in tries]
    links = (run_receipt.link(thread_id, ref) for ref in line.receipts)
    refs = tag("p", *links, cls="trace") if line.receipts else None
    head = tag("div", tag("span", foreign(line.title), cls="name"), tag("span", *settled, cls="settled"), cls="line")
    said = tag("p", foreign(line.summary), cls="summary") if line.summary else None
    return tag(
        "li",
        tag("span", cls="mark", aria_hidden="true"),
        tag("div", head, *failed, said, refs),
        cls=f"p-{line.status}",
    )
