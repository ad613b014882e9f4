"""Note: a line of one's own in the run, in a drawer over the card; and the notes that stand there."""

from __future__ import annotations

import streamlit as st

from core.desk.notes import write_note
from core.errors import Refused
from core.threads.notes import LONGEST_NOTE, list_notes
from core.views.card import Card
from pages.parts import identity, wording
from pages.parts.deciding import close_drawer
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import draw, foreign, tag, toast


@st.dialog("Note in the run", width="small", on_dismiss=close_drawer)
def note(here: Here, card: Card) -> None:
    """Draw the notes and a field for the next one."""
    thread_id = card.approval.thread_id
    with here.app.read() as conn:
        notes = list_notes(conn, here.app.vault.keys(here.tenant_id, thread_id))
    lines = [
        tag("li", foreign(one.text), " ",
            tag("small", when(one.written_at, here.zone), " · approved" if one.approved_at else " · not approved"))
        for one in notes
    ]  # fmt: skip
    draw(tag("ul", *lines, cls="given") if lines else tag("p", "No note yet.", cls="none"))
    with st.form("review.note", border=False):
        text = st.text_area("Your line", max_chars=LONGEST_NOTE, key="review.note.text")
        is_saved = st.form_submit_button("Write it down", type="primary")
    draw(tag("p", "It is kept in the run. A packet carries it only once a person has approved it.", cls="id"))
    if is_saved and _write(thread_id, text):
        close_drawer()
        st.rerun()


def _write(thread_id: str, text: str) -> bool:
    here = identity.require("viewer")
    try:
        version = here.app.act(
            here.actor, "note add", lambda tx: write_note(tx, here.app.desk, here.actor, thread_id, text)
        )
    except Refused as refused:
        draw(tag("p", foreign(wording.refusal(refused)), cls="refused", role="alert"))
        return False
    toast(f"Note {version} of {thread_id} is written down.")
    return True
