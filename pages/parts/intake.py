"""Add applications: drop files, take them a few at a time, and say of each what became of it.

The click moves what was dropped into a batch of this session and empties the uploader, so that a second click finds
nothing and no file stays for the next person. Each page run then takes one chunk. A session that ends in between loses
the rest of its batch and nothing that was taken: dropped again, the same person is refused with a pointer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import quote

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.desk.intake import CHUNK, Incoming, Outcome, accept
from core.errors import Refused
from core.intake_files import Application, list_dropped
from pages.parts import identity, wording
from pages.parts.identity import Here
from pages.parts.untrusted import Html, draw, foreign, tag

VERSION, BATCH, REFUSED = "applications.files.version", "applications.batch", "applications.files.refused"
_UNSURE = "It is not known whether this was added; drop it again: who is here already is refused with a pointer."


@dataclass(slots=True)
class Batch:
    """What one click handed in: still to be taken, and what became of the rest. It lives in one session."""

    tenant_id: str
    role_id: str
    pending: list[Incoming]
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many there were."""
        return len(self.pending) + len(self.outcomes)


def intake(here: Here, role_id: str) -> None:
    """Draw the uploader, the progress and the outcomes; take one chunk where there is one."""
    version = int(st.session_state.setdefault(VERSION, 0))
    batch = cast("Batch | None", st.session_state.get(BATCH))
    if batch is not None and (batch.tenant_id, batch.role_id) != (here.tenant_id, role_id) and not batch.pending:
        batch = None
    is_busy = batch is not None and bool(batch.pending)
    key, press = f"applications.files.{role_id}.{version}", f"applications.add.{role_id}.{version}"
    dropped = st.file_uploader("Files", accept_multiple_files=True, max_upload_size=25, key=key, disabled=is_busy)
    draw(tag("p", wording.LIMITS, cls="beside"))
    st.button(
        "Add applications", key=press, type="primary", icon=":material/add:",
        disabled=is_busy or not dropped, on_click=_hand_in, args=(role_id, version, key),
    )  # fmt: skip
    refused = st.session_state.get(REFUSED)
    if refused is not None and refused[0] == key:
        draw(tag("p", refused[1], cls="turned-down", role="alert"))
    if batch is not None:
        _carry_on(here, batch)


def _hand_in(role_id: str, version: int, key: str) -> None:
    """Make a batch of what was dropped and empty the uploader; only the first of several clicks does."""
    if version != st.session_state[VERSION]:
        return
    here = identity.require("reviewer")
    files = cast("list[UploadedFile]", st.session_state.get(key) or [])
    try:
        found = list_dropped([(file.name, file.getvalue()) for file in files])
    except Refused as refused:
        st.session_state[REFUSED] = (key, wording.refusal(refused))
        return
    st.session_state[VERSION] = version + 1
    st.session_state[BATCH] = Batch(here.tenant_id, role_id, [_incoming(one) for one in found])


def _incoming(one: Application) -> Incoming:
    return Incoming(one.file, one.content, one.name, one.email, one.cover, one.form, one.problem)


def _carry_on(here: Here, batch: Batch) -> None:
    place = st.empty()
    done = len(batch.outcomes)
    if batch.pending:
        share = done / batch.size
        place.progress(share, text=wording.progress(done, batch.size))
        _take_chunk(here, batch)
        st.rerun()
    draw(outcomes(batch.outcomes))


def _take_chunk(here: Here, batch: Batch) -> None:
    """Take one chunk. From its first file on nothing here may be interrupted, so nothing here draws."""
    chunk, batch.pending = batch.pending[:CHUNK], batch.pending[CHUNK:]
    try:
        batch.outcomes += accept(here.app.write, here.app.desk, here.actor, batch.role_id, chunk)
    except Refused as refused:
        rest, batch.pending = [*chunk, *batch.pending], []
        batch.outcomes += [Outcome(one.file, reason=refused.sentence, code=refused.code) for one in rest]
    except Exception:
        batch.outcomes += [Outcome(one.file, reason=_UNSURE, code="unknown") for one in chunk]
        raise


def outcomes(found: Sequence[Outcome]) -> Html:
    """Show one line a file: the run it became, or why it was refused; refused ones first."""
    added = sum(one.thread_id is not None for one in found)
    refused = len(found) - added
    head = tag("p", tag("b", f"{added} added"), f", {refused} refused" if refused else None, role="status")
    lines = [_outcome(one) for one in sorted(found, key=lambda one: one.thread_id is not None)]
    return tag("div", head, tag("ul", *lines, cls="rows", aria_label="Outcomes", tabindex="0"), cls="outcomes")


def _outcome(one: Outcome) -> Html:
    file = tag("span", foreign(one.file or "(a file without a name)"), cls="file")
    if one.thread_id is not None:
        return tag("li", tag("div", file, _state("a-approved", "Added"), cls="line"), tag("p", _run(one.thread_id)))
    if one.known_as is not None:
        said = tag("p", "This person has applied for this role already, as ", _run(one.known_as), ".")
        return tag("li", tag("div", file, _state("a-pending", "Known"), cls="line"), said)
    return tag("li", tag("div", file, _state("a-expired", "Refused"), cls="line"), tag("p", foreign(one.reason or "")))


def _state(kind: str, word: str) -> Html:
    return tag("span", tag("span", cls="dot"), word, cls=f"state {kind}")


def _run(thread_id: str) -> Html:
    return tag("a", thread_id, href=f"/run?id={quote(thread_id)}")
