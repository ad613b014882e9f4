"""A role's times: how long an invitation stands, when it reminds, when a question is due; what a change does first."""

from __future__ import annotations

import streamlit as st

from core.desk.role_times import set_times
from core.steps import Config
from core.views.of_role import count_standing
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.untrusted import draw, inline, tag

_TIMES = {
    "window_hours": ("An invitation stands", 24 * 365),
    "reminder_hours": ("The reminder before its end", 24 * 365),
    "question_due_hours": ("A question is due after", 24 * 365),
}


def times_form(here: Here, role_id: str, role: Config) -> None:
    """Draw the hours as they stand, and the button that saves others under a new version."""
    key = f"settings.times.{role_id}.{role.version}"
    with st.expander("Times, in hours", icon=":material/schedule:", key=f"{key}.fold"):
        places = st.columns(len(_TIMES))
        typed = {
            name: int(place.number_input(label, 1, most, int(role.content[name]), step=1, key=f"{key}.{name}"))
            for place, (name, (label, most)) in zip(places, _TIMES.items(), strict=True)
        }
        changed = {name: hours for name, hours in typed.items() if hours != role.content[name]}
        if changed:
            with here.app.read() as conn:
                standing = count_standing(conn, here.tenant_id, role_id, "role")
            draw(
                tag(
                    "p", tag("b", str(standing.asked)), " questions that stand come back, ",
                    tag("b", str(standing.held)), " held answers too. ", tag("b", str(standing.kept)),
                    " keep theirs: what an invite that left has started runs to its own end.",
                    cls="would",
                )
            )  # fmt: skip
        st.button(
            inline(f"Save version {role.version + 1}"), key=f"{key}.save", icon=":material/save:", disabled=not changed,
            on_click=_save, args=(role_id, role.version, changed),
        )  # fmt: skip


def _save(role_id: str, after: int, changed: dict[str, int]) -> None:
    here = require("viewer")
    if act(here, "role times", lambda tx: set_times(tx, here.actor, role_id, changed, after=after)):
        st.toast("The new version is saved.", icon=":material/check:")
