"""A role's times: how long an invitation stands, when it reminds, when a question is due; what a change does first."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.desk.role_times import set_times
from core.steps import Config
from core.views.of_role import Standing, count_standing
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, inline, tag

# Each with its label and the least it may be.
_TIMES = {
    "window_hours": ("An invitation stands", 1),
    "reminder_hours": ("The reminder before its end", 0),
    "question_due_hours": ("A question is due after", 0),
}


def times_form(here: Here, role_id: str, role: Config) -> None:
    """Draw the hours as they stand, and the button that saves others under a new version."""
    key = f"settings.times.{role_id}.{role.version}"
    with st.expander("Times, in hours", icon=":material/schedule:", key=f"{key}.fold"):
        places = st.columns(len(_TIMES))
        typed = {
            name: int(place.number_input(label, least, None, int(role.content[name]), step=1, key=f"{key}.{name}"))
            for place, (name, (label, least)) in zip(places, _TIMES.items(), strict=True)
        }
        changed = {name: hours for name, hours in typed.items() if hours != role.content[name]}
        if changed:
            with here.app.read() as conn:
                standing = count_standing(conn, here.tenant_id, role_id, "role")
            draw(tag("p", *_would(standing), cls="would"))
        press(
            inline(f"Save version {role.version + 1}"), _save, role_id, role.version, changed, key=f"{key}.save",
            icon=":material/save:", disabled=not changed,
        )  # fmt: skip


def _would(standing: Standing) -> Iterator[Html | str]:
    yield "Questions that stand and come back: "
    yield tag("b", str(standing.asked))
    yield ". Held answers that do: "
    yield tag("b", str(standing.held))
    yield ". Runs that keep their times, for what a letter that left has started runs to its own end: "
    yield tag("b", str(standing.kept))
    yield "."


def _save(role_id: str, after: int, changed: dict[str, int]) -> None:
    here = require("viewer")
    if act(here, "role times", lambda tx: set_times(tx, here.actor, role_id, changed, after=after)):
        st.toast("The new version is saved.", icon=":material/check:")
