"""Undo and release: what a person may still do about an answer that is held."""

from __future__ import annotations

import streamlit as st

from core.clock import pulse
from core.desk.decisions import undo_decision
from core.desk.sittings import release_in_sitting
from core.review.read import get_approval
from core.threads.rows import get_thread
from core.views.sentence import say_time
from core.views.sitting import find_last_released, list_held
from pages.parts import deciding, identity, moving
from pages.parts.acting import act
from pages.parts.identity import Here
from pages.parts.untrusted import toast

ACTED = "review.acted"


def _is_second_press() -> bool:
    """Say whether this press is the second half of a double click on undo or release."""
    before, st.session_state[ACTED] = st.session_state.get(ACTED), pulse()
    return deciding.is_still() or (before is not None and pulse() - before < deciding.EXPOSURE_SECONDS)


def undo_newest() -> None:
    """Take back the newest answer of this person that is still held; where there is none, say what was released."""
    if _is_second_press():
        return
    here = identity.require("viewer")
    with here.app.read() as conn:
        held = list_held(conn, here.app.vault, here.tenant_id)
        released = find_last_released(conn, here.tenant_id, here.actor.member.id)
    mine = next((one for one in held if one.decided_by == here.actor.member.id), None)
    if mine is not None:
        _undo(here, mine.approval_id)
    elif released is not None:
        at = released[1].astimezone(here.zone).strftime("%H:%M:%S")
        toast(f"Nothing of yours is held. {released[0]} was released {at} ({say_time(released[1], here.zone)}).")
    else:
        toast("Nothing of yours is held.")


def undo_one(approval_id: str) -> None:
    """Take back one held answer."""
    if not _is_second_press():
        _undo(identity.require("viewer"), approval_id)


def _undo(here: Here, approval_id: str) -> None:
    if act(here, "undo", lambda tx: undo_decision(tx, here.app.desk, here.actor, approval_id)):
        deciding.drop_draft(approval_id)
        moving.go_to(approval_id)
        _say_parked(here, approval_id)


def _say_parked(here: Here, approval_id: str) -> None:
    """Say so where the thread of a question that stands again is parked, for nothing of it goes on by itself."""
    with here.app.read() as conn:
        approval = get_approval(conn, here.app.vault, here.tenant_id, approval_id)
        thread = get_thread(conn, here.tenant_id, approval.thread_id)
    if thread.status == "parked":
        toast(f"Taken back. {thread.id} is parked; nothing of it goes on until it is retried.")


def release_one(approval_id: str) -> None:
    """End one hold now."""
    if not _is_second_press():
        here = identity.require("viewer")
        act(here, "release", lambda tx: release_in_sitting(tx, here.app.desk, here.actor, approval_id))


def release_each(approval_ids: tuple[str, ...]) -> None:
    """End several holds now, each in a transaction of its own; say what could not be."""
    if _is_second_press():
        return
    here = identity.require("viewer")
    for one in approval_ids:
        act(here, "release", lambda tx, one=one: release_in_sitting(tx, here.app.desk, here.actor, one))  # type: ignore[misc]
