"""A run whose plan grew, told as a log of what was done: for a reader who has never seen its tools."""

from __future__ import annotations

from collections import defaultdict
from zoneinfo import ZoneInfo

from core.cli.edge import columns
from core.cli.told import plain, tell_question
from core.views.plans import Revised
from core.views.sentence import say_time
from core.views.threads import PlanLine, Whole

MARKS = {
    "done": "✓",
    "now": "▶",
    "waiting_person": "✋",
    "waiting_event": "⏳",
    "later": "·",
    "skipped": "–",
    "stopped": "✗",
}


def tell_run(whole: Whole, zone: ZoneInfo) -> list[str]:
    """Tell the plan with who revised it and why where it was revised, what went wrong, and what a person was asked."""
    rows: list[tuple[object, ...]] = []
    revised: dict[int, Revised] = {one.n: one for one in whole.revisions}
    wrong: dict[str, list[str]] = defaultdict(list)
    for attempt in whole.attempts:
        wrong[attempt.step].append(f"{attempt.code}: {plain(attempt.said)}" if attempt.said else attempt.code)
    for line in whole.plan:
        one = revised.pop(line.revision, None)
        if one is not None:
            rows.append(("\u270e", _revised(one, zone), "", ""))
        rows.append((MARKS[line.status], plain(line.title), _done(line, zone), _told(line)))
        rows += [("!", f"  {said}", "", "tried, and nothing was done") for said in wrong.pop(line.step, ())]
    log = "\n".join(f"{mark} {title}{_beside(when)}{_beside(told)}".rstrip() for mark, title, when, told in rows)
    unsettled = [(one.key, one.status, one.why or "") for one in whole.effects if one.status != "done"]
    done = len(whole.effects) - len(unsettled)
    ledger = (
        f"{done} acts are in the ledger as done, each under a key of its own (`effects --thread {whole.thread.id}`)."
    )
    asked = [tell_question(one, whole.name, zone) for one in whole.approvals]
    return [log, ledger, *([columns(unsettled, "")] if unsettled else []), *asked]


def _beside(text: object) -> str:
    return f"  {text}" if text else ""


def _revised(one: Revised, zone: ZoneInfo) -> str:
    dropped = f", {one.dropped_count} dropped" if one.dropped_count else ""
    return (
        f"Plan written by {one.by} at {say_time(one.at, zone)} ({one.added_count} steps{dropped}): {plain(one.reason)}"
    )


def _done(line: PlanLine, zone: ZoneInfo) -> str:
    return say_time(line.done_at, zone) if line.done_at and line.status == "done" else line.status.replace("_", " ")


def _told(line: PlanLine) -> str:
    details = f" (details: {', '.join(line.receipts)})" if line.receipts else ""
    tries = f"; {line.attempts} tries" if line.attempts > 1 else ""
    return f"{plain(line.summary)}{details}{tries}" if line.summary else ""
