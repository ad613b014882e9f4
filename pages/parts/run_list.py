"""The list of runs, drawn: how many of each status, and one line a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from core.threads.rows import Thread
from core.views.sentence import sentence
from core.views.threads import Line
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.times import how_long
from pages.parts.untrusted import Html, foreign, join, tag


def shares(counts: Mapping[str, int]) -> Html:
    """Show how many runs there are of each status: a bar in their proportion, and every figure with its word."""
    there = [(status, word, counts[status]) for status, word in wording.STATUS.items() if counts.get(status)]
    bar = [tag("span", cls=f"share s-{status}", style=f"flex-grow:{count}") for status, _, count in there]
    legend = [
        tag("li", tag("span", cls=f"dot s-{status}"), tag("b", str(count)), f" {word.lower()}")
        for status, word, count in there
    ]
    return tag(
        "div",
        tag("div", *bar, cls="bar", aria_hidden="true"),
        tag("ul", *legend, cls="legend", aria_label="Runs by status"),
        cls="shares",
    )


def table(here: Here, lines: Sequence[Line]) -> Html:
    """Show one line a run; each leads to its page."""
    heads = [tag("th", head, scope="col") for head in ("Run", "Status", "What it waits for", "For")]
    rows = [_row(here, line) for line in lines]
    return tag(
        "table",
        tag("caption", "Runs, the one that has waited longest first", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        cls="runs",
    )


def _row(here: Here, line: Line) -> Html:
    thread = line.thread
    lead = tag("a", foreign(line.name or thread.id), href=f"/run?id={quote(thread.id)}", cls="lead")
    below = tag("span", thread.id, cls="id") if line.name else None
    return tag(
        "tr",
        tag("td", lead, below, cls="who"),
        tag("td", chip(thread), cls="status"),
        tag("td", sentence(thread, here.zone), cls="says"),
        tag("td", how_long(thread.since_at, here.now), cls="age"),
    )


def chip(thread: Thread) -> Html:
    """Show a run's status with its word, and how it ended."""
    return tag("span", tag("span", cls="dot"), join(wording.status(thread)), cls=f"chip s-{thread.status}")
