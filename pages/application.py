"""Application: one applicant's file as a person sees it, beside what was read of it."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFound
from core.views.applications import Opened, open_application
from pages.parts import reading, wording
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.plan import heading
from pages.parts.run_list import chip
from pages.parts.untrusted import Html, draw, foreign, tag

APPLICATIONS = "pages/applications.py"


def page(here: Here, thread_id: str) -> None:
    """Draw one application, or say that there is none by that id."""
    try:
        desk = here.app.desk
        with here.app.read() as conn:
            opened = open_application(conn, desk.vault, desk.blobs, desk.reader, here.tenant_id, thread_id)
    except NotFound as missing:
        stay_live(here, mark=0, thread_id=thread_id)
        draw(tag("h1", "No such application"))
        draw(tag("p", foreign(wording.refusal(missing)), cls="empty"))
        st.page_link(APPLICATIONS, label="All applications", icon=":material/arrow_back:")
        return
    stay_live(here, mark=opened.thread.version, thread_id=thread_id)
    role = {"role": opened.thread.role_id} if opened.thread.role_id else None
    st.page_link(APPLICATIONS, label="Applications", icon=":material/arrow_back:", query_params=role)
    draw(_head(opened))
    left, right = st.columns([1.35, 1], gap="large")
    with left:
        _files(opened)
    with right:
        _read(opened)


def _head(opened: Opened) -> Html:
    thread = opened.thread
    name = opened.person.name if opened.person else None
    run = tag("a", "Run", href=f"/run?id={thread.id}")
    return tag(
        "header",
        tag("div", tag("h1", foreign(name or thread.id)), chip(thread), cls="title"),
        tag("p", tag("code", thread.id), " · ", run, cls="id"),
        cls="run-head",
    )


def _files(opened: Opened) -> None:
    if opened.cv is None and opened.cover is None:
        draw(tag("p", "No file of this application is kept.", cls="empty"))
    for file, title, name in ((opened.cv, "What the CV shows", "cv"), (opened.cover, "Cover note", "cover")):
        if file is not None:
            draw(tag("h2", title, tag("small", foreign(file.name)) if file.name else None))
            draw(reading.text(file, opened.scores, name))


def _read(opened: Opened) -> None:
    draw(heading("Who", "as it came in"))
    draw(reading.person(opened))
    draw(heading("Criteria", "the line before the points"))
    draw(reading.scores(opened))
    draw(heading("Rules", "checked before scoring"))
    draw(reading.rules(opened))


page(require("viewer"), st.query_params.get("id", ""))
