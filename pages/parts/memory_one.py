"""The page of one record, laid out: what it is and where it went on the left, what a person may do on the right."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.desk.memory import look_at
from core.views.memory_record import MemoryRecord
from pages.parts import memory_record as parts
from pages.parts import memory_words as words
from pages.parts.acting import act
from pages.parts.identity import Here
from pages.parts.memory_acts import acts
from pages.parts.memory_filters import ID, address
from pages.parts.memory_notices import conflict
from pages.parts.plan import heading
from pages.parts.untrusted import draw, tag
from pages.parts.what_if import what_if

SEEN = "memory.seen"


def draw_record(here: Here, record: MemoryRecord, owners: Mapping[str, str]) -> None:
    """Draw one record; that its text was looked at is noted once a session and version."""
    draw(tag("p", tag("a", "← All records", href=address(**{ID: None, "thread": None}), target="_self"), cls="back"))
    draw(parts.head(record))
    draw(parts.says(record))
    shown = record.shown
    rivals = [one for one in record.same_key if one.line.state == "contested"]
    if shown.line.state == "contested" and rivals:
        conflict([shown, *rivals], owners, here)
    left, right = st.columns([1.45, 1], gap="large")
    with left:
        _where(here, record, owners)
    with right:
        draw(heading("What you may do"))
        acts(record, here)
        draw(heading("Passport"))
        draw(parts.passport(record, owners, here))
        draw(heading("History"))
        draw(parts.history(record.changes, owners, here))
    if shown.text is not None:
        _note_look(here, shown.line.id, shown.line.version)


def _where(here: Here, record: MemoryRecord, owners: Mapping[str, str]) -> None:
    draw(heading("In runs", parts.figures(record)))
    draw(parts.reads(record, here))
    if record.shown.line.state not in words.GONE:
        draw(heading("What if", "the context of a run with it and without it"))
        what_if(record, here)
    draw(heading("Lineage"))
    draw(parts.lineage(record, here))
    others = [one for one in record.same_key if one.line.state != "contested"]
    if others:
        draw(heading("Under the same key"))
        draw(tag("ul", *(tag("li", parts.rival(one, owners, here)) for one in others), cls="rows"))


def _note_look(here: Here, memory_id: str, version: int) -> None:
    seen = (here.tenant_id, memory_id, version)
    noted = st.session_state.setdefault(SEEN, set())
    if seen not in noted:
        noted.add(seen)
        act(here, "memory show", lambda tx: look_at(tx, here.app.desk, here.actor, memory_id))
