"""Close a role, with what that does shown first; open it again."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.catalog.roles import Role
from core.desk.roles import close_role, reopen_role
from core.views.of_role import Closing, preview_closing
from pages.parts import wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, inline, join, tag

CLOSING = "settings.closing"


def role_acts(here: Here, role: Role) -> None:
    """Draw the acts that this role's state allows. Nothing is closed before its preview was confirmed."""
    if role.status != "open":
        draw(tag("p", wording.CLOSED_ROLE, cls="none"))
        st.button(
            inline(f"Open {role.id} again"), key=f"settings.open.{role.id}", icon=":material/lock_open:",
            on_click=_reopen, args=(role.id,),
        )  # fmt: skip
    elif st.session_state.get(CLOSING) == role.id:
        _confirm(here, role)
    else:
        st.button(
            inline(f"Close {role.id} …"), key=f"settings.close.{role.id}", icon=":material/lock:",
            on_click=_ask, args=(role.id,),
        )  # fmt: skip


def _confirm(here: Here, role: Role) -> None:
    with here.app.read() as conn:
        closing = preview_closing(conn, here.tenant_id, role.id)
    lines = [tag("li", line) for line in _lines(closing, here)]
    draw(
        tag(
            "section",
            tag("h3", f"Closing {role.id} would do this"),
            tag("ul", *lines),
            cls="would",
            aria_label="What closing would do",
        )
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            inline(f"Close {role.id}"), key=f"settings.confirm.{role.id}", type="primary", icon=":material/lock:",
            on_click=_close, args=(role.id,),
        )  # fmt: skip
        st.button("Keep it open", key=f"settings.keep.{role.id}", type="tertiary", on_click=_keep)


def _lines(closing: Closing, here: Here) -> Iterator[Html]:
    yield join(
        tag("b", str(closing.undecided)), " undecided go to the lane Role closing. Nobody is rejected or mailed."
    )
    yield join(tag("b", str(closing.held)), " held answers ask again; nothing of them leaves.")
    yield join(tag("b", str(closing.reminders)), " reminders are void.")
    last = join(", the last ", when(closing.last_until_at, here.zone)) if closing.last_until_at else None
    yield join(tag("b", str(closing.bookings)), " who were invited may book until their deadline", last, ".")
    yield join(tag("b", str(closing.ended)), " that ended stay as they are.")
    yield join("What is kept until the role closes goes from then on; new applications are refused.")


def _ask(role_id: str) -> None:
    st.session_state[CLOSING] = role_id


def _keep() -> None:
    st.session_state.pop(CLOSING, None)


def _close(role_id: str) -> None:
    _keep()
    here = require("viewer")
    if act(here, "role close", lambda tx: close_role(tx, here.actor, role_id)):
        st.toast("The role is closed.", icon=":material/check:")


def _reopen(role_id: str) -> None:
    here = require("viewer")
    if act(here, "role open", lambda tx: reopen_role(tx, here.actor, role_id)):
        st.toast("The role is open again.", icon=":material/check:")
