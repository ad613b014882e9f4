"""Roles and their applications, drawn: how many stand where, and one line an application."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import quote

import streamlit as st

from core.views.applications import STAGES, Funnel
from core.views.threads import Line
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.run_list import chip
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, tag


def roles(funnels: Sequence[Funnel]) -> Html:
    """Show one line a role: its title, how many applied, and where they stand."""
    heads = [tag("th", head, scope="col") for head in ("Role", "Applied", "Where they stand")]
    return tag(
        "table",
        tag("caption", "Roles, open ones first", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_role(one) for one in funnels)),
        cls="roles",
    )


def _role(one: Funnel) -> Html:
    closed = tag("span", "closed", cls="id") if one.role.status != "open" else None
    lead = tag("a", foreign(one.role.title), href=f"/applications?role={quote(one.role.id)}", cls="lead")
    standing = stages(one) if one.total else tag("span", "Nobody has applied yet.", cls="none")
    return tag(
        "tr",
        tag("td", lead, tag("span", one.role.id, cls="id"), closed, cls="who"),
        tag("td", str(one.total), cls="count"),
        tag("td", standing),
    )


def stages(one: Funnel) -> Html:
    """Show how many applications stand at each stage: a bar in their proportion, and every figure with its word."""
    there = [(stage, one.stages[stage]) for stage in STAGES if one.stages.get(stage)]
    bar = [tag("span", cls=f"share g-{stage}", style=f"flex-grow:{count}") for stage, count in there]
    legend = [
        tag("li", tag("span", cls=f"dot g-{stage}"), tag("b", str(count)), f" {wording.STAGE[stage].lower()}")
        for stage, count in there
    ]
    return tag(
        "div",
        tag("div", *bar, cls="bar", aria_hidden="true"),
        tag("ul", *legend, cls="legend", aria_label="Applications by stage"),
        cls="shares",
    )


def choose(funnels: Sequence[Funnel], on_change: Callable[[], None]) -> Funnel:
    """Let the person choose a role; the address holds it."""
    if len(funnels) == 1:
        return funnels[0]
    titles = {one.role.id: f"{one.role.id} · {one.role.title}" for one in funnels}
    if st.session_state.get("role") not in titles:
        asked = st.query_params.get("role")
        st.session_state["role"] = asked if asked in titles else funnels[0].role.id
    role_id = st.selectbox(
        "Role", list(titles), key="role", format_func=lambda one: titles.get(one, one), on_change=on_change, width=520
    )
    if st.query_params.get("role") != role_id:
        st.query_params["role"] = role_id
    return next(one for one in funnels if one.role.id == role_id)


def applications(here: Here, lines: Sequence[Line]) -> Html:
    """Show one line an application; each leads to its file beside what was read of it, and to its run."""
    heads = [tag("th", head, scope="col") for head in ("Applicant", "Status", "Applied", "Run")]
    return tag(
        "table",
        tag("caption", "Applications, the newest first", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_application(here, line) for line in lines)),
        cls="runs applications",
    )


def _application(here: Here, line: Line) -> Html:
    thread = line.thread
    lead = tag("a", foreign(line.name or thread.id), href=f"/application?id={quote(thread.id)}", cls="lead")
    below = tag("span", thread.id, cls="id") if line.name else None
    run = tag("a", "Open", href=f"/run?id={quote(thread.id)}", cls="also", aria_label=f"Run {thread.id}")
    return tag(
        "tr",
        tag("td", lead, below, cls="who"),
        tag("td", chip(thread), cls="status"),
        tag("td", when(thread.created_at, here.zone), cls="at"),
        tag("td", run, cls="age"),
    )
