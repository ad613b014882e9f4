"""The roles as settings show them, and which of them is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import streamlit as st

from core.catalog.roles import Role
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, join, tag


def table(roles: Sequence[Role], here: Here) -> Html:
    """Show one line a role: open or closed, since when, and how many applied."""
    heads = [tag("th", head, scope="col") for head in ("Role", "State", "Applied")]
    return tag(
        "table",
        tag("caption", "Roles by id", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_role(one, here) for one in roles)),
        cls="roles states",
    )


def _role(role: Role, here: Here) -> Html:
    lead = tag("a", foreign(role.title), href=f"/settings?role={quote(role.id)}", cls="lead", target="_self")
    is_open = role.status == "open"
    since = role.created_at if is_open or role.closed_at is None else role.closed_at
    word = join("Open since " if is_open else "Closed since ", when(since, here.zone))
    state = tag("span", tag("span", cls="dot"), word, cls=f"state {'a-approved' if is_open else 'a-rejected'}")
    return tag(
        "tr",
        tag("td", lead, tag("span", role.id, cls="id"), cls="who"),
        tag("td", state),
        tag("td", str(role.applications), cls="count"),
    )


def choose(roles: Sequence[Role]) -> str:
    """Let the person choose a role, and answer its id; the address holds it."""
    titles = {one.id: f"{one.id} · {one.title}" for one in roles}
    if st.session_state.get("role") not in titles:
        asked = st.query_params.get("role")
        st.session_state["role"] = asked if asked in titles else next(iter(titles))
    if len(titles) == 1:
        return next(iter(titles))
    chosen = st.selectbox("Role", list(titles), key="role", format_func=lambda one: titles.get(one, one), width=520)
    if st.query_params.get("role") != chosen:
        st.query_params["role"] = chosen
    return str(chosen)
