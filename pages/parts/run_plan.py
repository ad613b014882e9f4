"""A run's plan, step by step: silence as a row, tries stacked, receipts at the right, plumbing folded under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

import streamlit as st

from core.clock import say_span
from core.effects.plan import Entry
from core.views.run import Run
from core.views.sentence import say_time
from core.views.threads import Attempt, PlanLine
from pages.parts import ledger, wording
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, tag

ASLEEP = ("awaiting_review", "waiting")
SILENCE = timedelta(minutes=1)
_TH = ("first", "second", "third", "fourth", "fifth", "sixth")


def steps(run: Run, here: Here) -> None:
    """Draw the plan in stretches, each up to a step that has plumbing; a failure unfolds itself."""
    moves = " moves" if run.thread.status == "running" else ""
    broken = run.thread.status in ("parked", "failed") or run.thread.tries > 0
    stretch: list[Html] = []
    for line, silence in zip(run.plan, _silences(run, here), strict=True):
        stretch += [one for one in (silence, _step(line, run, here)) if one is not None]
        plumbing = _plumbing(line, run)
        if plumbing is not None:
            _draw(stretch, moves)
            stretch = []
            unfolds = broken and any(one.step == line.step for one in run.attempts)
            label = f"{line.title}: {plumbing}"
            with st.expander(label, expanded=unfolds, key=f"run.plumbing.{line.step}"):
                _unfolded(line, run, here)
    _draw(stretch, moves)


def _draw(stretch: Sequence[Html], moves: str) -> None:
    if stretch:
        draw(tag("ol", *stretch, cls=f"plan{moves}", aria_label="Plan"))


def _silences(run: Run, here: Here) -> Iterator[Html | None]:
    """Answer, before each step, how long the run had been a row and nothing else; and how long it is now."""
    before = run.thread.created_at
    for line in run.plan:
        if line.done_at is not None:
            slept = line.done_at - before
            yield _silence(f"asleep as a row, {say_span(slept)}, 0 processes") if slept >= SILENCE else None
            before = line.done_at
        else:
            is_now = line.step == run.thread.step and run.thread.status in ASLEEP
            slept = here.now - run.thread.since_at
            yield (
                _silence(f"asleep as a row, {say_span(slept)}, 0 processes; next: {_next(run, here)}")
                if is_now
                else None
            )


def _silence(words: str) -> Html:
    return tag("li", tag("span", words), cls="silence")


def _next(run: Run, here: Here) -> str:
    """Say what ends the silence: you, an event, or an instant."""
    thread = run.thread
    first = {"person": "you", "event": " or ".join(thread.wait_events or ())}.get(thread.waits_for or "", "")
    if thread.wake_at is None:
        return first or "a person"
    at = say_time(thread.wake_at, here.zone)
    then = f" ({thread.then_what})" if thread.then_what else ""
    return f"{first}, or {at}{then}" if first else f"{at}{then}"


def _step(line: PlanLine, run: Run, here: Here) -> Html:
    settled = [tag("span", wording.PLAN[line.status], cls="word"), when(line.done_at, here.zone)]
    left = [
        tag("p", foreign(line.summary), cls="summary") if line.summary else None,
        _stack(line, run),
    ]
    return tag(
        "li",
        tag("span", cls="mark", aria_hidden="true"),
        tag("div", tag("span", line.title, cls="name"), tag("span", *settled, cls="settled"), cls="line"),
        tag("div", tag("div", *left), _receipts(line, run), cls="beside"),
        cls=f"p-{line.status}",
    )


def _receipts(line: PlanLine, run: Run) -> Html | None:
    """Show what a step left to be looked up: kept bytes, and what it sent, by key."""
    kept = [tag("li", tag("code", ref)) for ref in line.receipts]
    sent = [
        tag("li", tag("code", one.key.removeprefix(f"{run.thread.id}/")), " ", tag("small", one.status))
        for one in effects_of(run, line.step)
    ]
    return tag("ul", *kept, *sent, cls="receipts", aria_label=f"Receipts of {line.title}") if kept or sent else None


def effects_of(run: Run, step: str) -> list[Entry]:
    """Answer the effects that a step planned: those planned while it was the next to settle."""
    settled = {one.number - 1: one.step for one in run.checkpoints}
    return [one for one in run.effects if one.checkpoint is not None and _at(run, settled, one.checkpoint) == step]


def _at(run: Run, settled: dict[int, str], checkpoint: int) -> str:
    return settled.get(checkpoint, run.thread.step)


def _stack(line: PlanLine, run: Run) -> Html | None:
    """Say each try of a step in one sentence: how it ended, and what the ledger knew then."""
    tried = [one for one in run.attempts if one.step == line.step]
    if not tried:
        return None
    said = [f"the {_TH[place]} {_ended(one, run)}" for place, one in enumerate(tried[: len(_TH)])]
    more = [f"{len(tried) - len(_TH)} more"] if len(tried) > len(_TH) else []
    return tag("p", foreign(f"{max(line.attempts, len(tried))} tries; " + "; ".join([*said, *more])), cls="tries")


def _ended(one: Attempt, run: Run) -> str:
    if one.result != "died":
        return f"failed: {one.said or one.code}"
    out = [e for e in run.effects if e.checkpoint == one.checkpoint and e.sending_at and e.sending_at <= one.at]
    if not out:
        return "died before anything was sent"
    known = {
        "done": "the ledger answered: already sent",
        "unknown": "nobody knows whether it was sent",
        "sending": "it is asked after",
    }
    return f"died between send and save; {known.get(out[0].status, 'it was not sent')}"


def _plumbing(line: PlanLine, run: Run) -> str | None:
    tried = sum(one.step == line.step for one in run.attempts)
    calls = [one for one in run.calls if one.step == line.step]
    tokens = sum((one.fresh or 0) + (one.output or 0) for one in calls)
    parts = [wording.plural(tried, "try that did not settle", "tries that did not settle")] if tried else []
    if calls:
        known = "at least " if any(one.is_usage_unknown for one in calls) else ""
        parts.append(f"{wording.plural(len(calls), 'model call', 'model calls')}, {known}{tokens:,} tokens")
    return ", ".join(parts) or None


def _unfolded(line: PlanLine, run: Run, here: Here) -> None:
    tried = [one for one in run.attempts if one.step == line.step]
    if tried:
        draw(ledger.attempts(tried, here))
        for one in (one for one in tried if one.frame):
            draw(tag("pre", foreign(one.frame), cls="frame", tabindex="0", aria_label="Error frames"))
    calls = [one for one in run.calls if one.step == line.step]
    if calls:
        draw(ledger.calls(calls, here))
