"""What a person does to one record: each press is one command of the desk, on the version that was shown."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.desk.memory import Draft, change_memory, let_stand, purge_memory, supersede_by_hand
from core.errors import Refused
from core.memory.door import LONGEST_TEXT
from core.views.memories import MemoryFilters, Shown
from core.views.memory_record import MemoryRecord
from pages.parts import memory_words as words
from pages.parts import wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.memory_many import expiry_form
from pages.parts.untrusted import draw, tag, toast

PURGING = "memory.purging"
DONE = {
    "allow": "Allowed: runs are handed it from now on.",
    "refuse": "Refused: it is forgotten.",
    "forget": "Forgotten: no run is handed it. Undo stands on its page until it is purged.",
    "restore": "Restored as it stood.",
    "expire": "Ended.",
}
_LABEL = {
    "allow": ("Allow", ":material/check:"),
    "refuse": ("Refuse", ":material/block:"),
    "forget": ("Forget", ":material/delete:"),
    "restore": ("Undo: restore it", ":material/undo:"),
    "expire": ("End it now", ":material/event_busy:"),
}
_OFFERED = {
    "live": ("forget", "expire"),
    "contested": ("forget", "expire"),
    "quarantined": ("allow", "refuse", "expire"),
    "superseded": ("forget", "expire"),
    "expired": ("forget",),
    "deleted": ("restore",),
}


def acts(record: MemoryRecord, here: Here) -> None:
    """Draw the acts that a record's state allows to whoever is here."""
    if not here.may("reviewer"):
        draw(tag("p", words.ONLY_LOOK, cls="none"))
        return
    line = record.shown.line
    if line.state == "quarantined":
        draw(tag("p", words.QUARANTINE, cls="none"))
    with st.container(horizontal=True, gap="small"):
        for what in _OFFERED[line.state]:
            label, icon = _LABEL[what]
            st.button(
                label, key=f"memory.{what}.{line.id}.{line.version}", icon=icon, on_click=_change,
                type="primary" if what in ("allow", "restore") else "secondary",
                args=(what, line.id, line.version),
            )  # fmt: skip
        if here.may("owner"):
            st.button(
                "Purge …", key=f"memory.ask.{line.id}", icon=":material/delete_forever:", type="tertiary",
                on_click=_ask, args=(line.id,), disabled=st.session_state.get(PURGING) == line.id,
            )  # fmt: skip
    _purge(line.id, here)
    if line.state not in ("expired", "deleted"):
        _replace(record.shown)
        _end(record, here)


def stands(shown: Shown, seen: Mapping[str, int]) -> None:
    """Draw the button that lets one of several records stand in the others' place."""
    st.button(
        "This one stands", key=f"memory.stands.{shown.line.id}.{shown.line.version}", icon=":material/check:",
        on_click=_let_stand, args=(shown.line.id, seen),
    )  # fmt: skip


def _purge(memory_id: str, here: Here) -> None:
    if not here.may("owner"):
        draw(tag("p", words.WHO_PURGES, cls="none"))
    elif st.session_state.get(PURGING) == memory_id:
        draw(tag("p", "Purging deletes the record and its key for good. Nobody can restore it.", cls="turned-down"))
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Purge for good", key=f"memory.purge.{memory_id}", type="primary", icon=":material/delete_forever:",
                on_click=_purge_now, args=(memory_id,),
            )  # fmt: skip
            st.button("Keep it", key=f"memory.keep.{memory_id}", type="tertiary", on_click=_keep)


def _replace(shown: Shown) -> None:
    line = shown.line
    key = f"memory.text.{line.id}.{line.version}"
    with st.expander("Put another text in its place", icon=":material/edit:", key=f"{key}.fold"):
        st.text_area("What is right instead", key=key, max_chars=LONGEST_TEXT, height=110)
        st.number_input("How sure, 0 to 1", 0.0, 1.0, 1.0, 0.05, key=f"{key}.sure", width=160)
        st.button(
            "Replace it", key=f"memory.replace.{line.id}.{line.version}", icon=":material/edit:",
            on_click=_supersede, args=(line.id, key),
        )  # fmt: skip


def _end(record: MemoryRecord, here: Here) -> None:
    line = record.shown.line
    with st.expander("Change when it expires", icon=":material/event_busy:", key=f"memory.end.{line.id}"):
        latest = record.latest_at.astimezone(here.zone)
        draw(tag("p", f"By its policy it may be kept until {latest:%-d %b %Y} at the latest.", cls="none"))
        expiry_form(here, "one", MemoryFilters(), (line.id,), latest.date())


def _change(what: str, memory_id: str, version: int) -> None:
    here = require("viewer")
    if act(here, f"memory {what}", lambda tx: change_memory(tx, here.actor, what, memory_id, seen=version)):
        toast(DONE[what])


def _let_stand(memory_id: str, seen: Mapping[str, int]) -> None:
    here = require("viewer")
    if act(here, "memory supersede", lambda tx: let_stand(tx, here.actor, memory_id, seen)):
        toast("It stands; what it contradicted is superseded.")


def _supersede(memory_id: str, key: str) -> None:
    here = require("viewer")
    text, sure = str(st.session_state.get(key) or ""), st.session_state.get(f"{key}.sure")
    draft = Draft("", "", text, sure)
    app, actor = here.app, here.actor
    try:
        new = app.attempt(
            actor, "memory supersede", lambda: supersede_by_hand(app.write, app.desk, actor, memory_id, draft)
        )
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    st.query_params["id"] = new.id
    toast("Replaced. This is the record that stands in its place.")


def _ask(memory_id: str) -> None:
    st.session_state[PURGING] = memory_id


def _keep() -> None:
    st.session_state.pop(PURGING, None)


def _purge_now(memory_id: str) -> None:
    _keep()
    here = require("viewer")
    app, actor = here.app, here.actor
    try:
        app.attempt(actor, "memory purge", lambda: purge_memory(app.write, app.desk, actor, memory_id))
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    st.query_params.pop("id", None)
    toast("Purged.")
