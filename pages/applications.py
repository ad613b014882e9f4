"""Applications: the roles with where their applications stand; add a role, add applications, open one."""

from __future__ import annotations

import streamlit as st

from core.views.applications import PAGE_SIZE, Funnel, list_applications, list_funnels
from pages.parts import funnel, wording
from pages.parts.export import export
from pages.parts.identity import Here, require
from pages.parts.intake import intake
from pages.parts.live import stay_live
from pages.parts.plan import heading
from pages.parts.role_form import role_form
from pages.parts.untrusted import draw, tag

ALL = "All"
STAGE_OF = {word: stage for stage, word in wording.STAGE.items()}


def page(here: Here) -> None:
    """Draw the roles, then the chosen one."""
    stay_live(here, mark=here.frame.mark)
    draw(tag("header", tag("h1", "Applications"), cls="run-head"))
    with here.app.read() as conn:
        funnels = list_funnels(conn, here.tenant_id)
    draw(funnel.roles(funnels) if funnels else tag("p", wording.NO_ROLES, cls="empty"))
    if here.may("reviewer"):
        role_form(opened=not funnels, taken={one.role.id for one in funnels})
    else:
        draw(tag("p", wording.ONLY_LOOK, cls="none"))
    chosen = funnel.choose(funnels, _first_page) if funnels else None
    if chosen is not None:
        _role(here, chosen)


def _role(here: Here, chosen: Funnel) -> None:
    draw(heading(chosen.role.title, wording.plural(chosen.total, "application", "applications")))
    stage = _stage() if chosen.total else None
    adds = here.may("reviewer") and chosen.role.status == "open"
    if chosen.role.status != "open":
        draw(tag("p", wording.CLOSED_ROLE, cls="none"))
    if chosen.total and here.may("reviewer"):
        export(here, chosen.role.id)
    left, right = st.columns([2.1, 1], gap="large") if adds else (st.container(), None)
    with left:
        _applications(here, chosen, stage)
    if right is not None:
        with right:
            draw(heading("Add applications"))
            intake(here, chosen.role.id)


def _stage() -> str | None:
    word = st.segmented_control(
        "Stage", [ALL, *STAGE_OF], default=ALL, required=True, key="stage", bind="query-params",
        label_visibility="collapsed", on_change=_first_page,
    )  # fmt: skip
    return STAGE_OF.get(word or ALL)


def _applications(here: Here, chosen: Funnel, stage: str | None) -> None:
    count = chosen.total if stage is None else chosen.stages.get(stage, 0)
    if count == 0:
        draw(tag("p", wording.NO_STAGE if chosen.total else wording.NO_APPLICATIONS, cls="empty"))
        return
    pages, place = -(-count // PAGE_SIZE), st.container(key="applications-list")
    number = min(st.pagination(pages, key="p", bind="query-params"), pages) if pages > 1 else 1
    with here.app.read() as conn:
        lines = list_applications(conn, here.app.vault, here.tenant_id, chosen.role.id, stage=stage, number=number)
    with place:
        draw(funnel.applications(here, lines))


def _first_page() -> None:
    st.session_state["p"] = 1


page(require("viewer"))
