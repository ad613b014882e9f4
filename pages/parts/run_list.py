"""The list of runs, drawn: how many of each status, and one line a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

import streamlit as st

from core.threads.rows import Thread
from core.views.near_names import offer_names
from core.views.runs import COUNTED, Page, Wanted
from core.views.sentence import sentence
from core.views.threads import Line
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.run_filters import AT, DESCENDING, SORT
from pages.parts.times import how_long, when
from pages.parts.untrusted import Html, draw, foreign, inline, join, tag

HEADS = (
    ("Run", ("run",), "who"), ("Status", ("status",), "status"), ("What it waits for", (), "says"),
    ("Role · workflow", ("role", "workflow"), "of"), ("Opened by", ("owner",), "by"),
    ("Opened", ("opened",), "opened"), ("For", ("waited",), "age"),
)  # fmt: skip
_WORDS = {"role": "Role", "workflow": "workflow"}


def counts(shown: Page) -> Html:
    """Show how many runs there are of each status: a bar in their proportion, and every figure with its word."""
    of = shown.by_status or {}
    there = [(status, word, of[status]) for status, word in wording.STATUS.items() if of.get(status)]
    bar = [tag("span", cls=f"share s-{status}", style=f"flex-grow:{count}") for status, _, count in there]
    legend = [
        tag("li", tag("span", cls=f"dot s-{status}"), tag("b", _figure(count)), f" {word.lower()}")
        for status, word, count in there
    ]
    return tag(
        "div",
        tag("div", *bar, cls="bar", aria_hidden="true"),
        tag("ul", *legend, cls="legend", aria_label="Runs by status"),
        cls="shares",
    )


def _figure(count: int) -> str:
    return f"{COUNTED:,}+" if count > COUNTED else f"{count:,}"


def table(here: Here, lines: Sequence[Line], people: Mapping[str, str], wanted: Wanted) -> Html:
    """Show one line a run; each leads to its page, and each head orders by its column where that is not sealed."""
    heads = [_head(name, sorts, cls, wanted) for name, sorts, cls in HEADS]
    rows = [_row(here, line, people) for line in lines]
    return tag(
        "table",
        tag("caption", "Runs, those that go on first. Names are sealed, so nothing is ordered by them.", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        cls="runs",
    )


def _head(name: str, sorts: Sequence[str], cls: str, wanted: Wanted) -> Html:
    if not sorts:
        return tag("th", name, scope="col", cls=cls)
    links = [_sort_link(name if len(sorts) == 1 else _WORDS[sort], sort, wanted) for sort in sorts]
    parts = [links[0], *(part for link in links[1:] for part in (" · ", link))]
    state = None
    if wanted.sort in sorts:
        state = "descending" if wanted.is_descending else "ascending"
    return tag("th", *parts, scope="col", cls=cls, aria_sort=state)


def _sort_link(name: str, sort: str, wanted: Wanted) -> Html:
    kept = {key: value for key, value in st.query_params.to_dict().items() if key not in (AT, SORT, DESCENDING)}
    is_this = wanted.sort == sort
    asked = kept | {SORT: sort} | ({DESCENDING: "1"} if is_this and not wanted.is_descending else {})
    arrow = tag("span", "▼" if wanted.is_descending else "▲", aria_hidden="true", cls="arrow") if is_this else None
    return tag("a", name, arrow, href=f"/runs?{urlencode(asked)}", target="_self", cls="sort")


def _row(here: Here, line: Line, people: Mapping[str, str]) -> Html:
    thread = line.thread
    lead = tag("a", foreign(line.name or thread.id), href=f"/run?id={quote(thread.id)}", cls="lead")
    below = tag("span", thread.id, cls="id") if line.name else None
    of = [tag("span", thread.role_id) if thread.role_id else None, tag("span", thread.workflow, cls="id")]
    owner = people.get(thread.owner_id or "")
    return tag(
        "tr",
        tag("td", lead, below, cls="who"),
        tag("td", chip(thread), cls="status"),
        tag("td", sentence(thread, here.zone), cls="says"),
        tag("td", *of, cls="of"),
        tag("td", foreign(owner) if owner else None, cls="by"),
        tag("td", when(thread.created_at, here.zone), cls="opened"),
        tag("td", how_long(thread.since_at, here.now), cls="age"),
    )


def chip(thread: Thread) -> Html:
    """Show a run's status with its word, and how it ended."""
    sandbox = tag("span", "sandbox", cls="sandbox") if thread.is_sandbox else None
    word = tag("span", tag("span", cls="dot"), join(wording.status(thread)), cls=f"chip s-{thread.status}")
    return word if sandbox is None else join(word, " ", sandbox)


def offers(here: Here, find: str) -> None:
    """Offer names that are spelt nearly so, each as a search of its own, and say how far was looked."""
    with here.app.read() as conn:
        near = offer_names(conn, here.app.vault, here.tenant_id, find)
    looked = "every name" if near.is_all else f"the {near.scanned:,} newest names"
    if not near.names:
        draw(tag("p", f"No name is spelt nearly so, of {looked}.", cls="none"))
        return
    draw(tag("p", f"Whole words are found as they are written. Spelt nearly so, of {looked}:", cls="none"))
    with st.container(horizontal=True):
        for place, name in enumerate(near.names):
            st.button(inline(name), key=f"runs.offer.{place}", on_click=_look_for, args=(name,))


def _look_for(name: str) -> None:
    st.session_state["find"] = name
    st.query_params.pop(AT, None)
