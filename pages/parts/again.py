"""Second look: at the end of a sitting a question once more, without the first verdict; then both are said."""

from __future__ import annotations

import streamlit as st

from core.desk.sittings import look_again
from core.errors import Refused
from core.steps import Verdict
from pages.parts import deciding, identity, moving, wording
from pages.parts.deciding import Seen
from pages.parts.exposure import wanted_twice
from pages.parts.untrusted import Html, tag, toast

LANE = "second"


def want(seen: Seen) -> None:
    """Ask for a second look at the question that is shown, or take that back."""
    if deciding.is_still():
        return
    if seen.approval_id in wanted_twice():
        wanted_twice().discard(seen.approval_id)
    else:
        wanted_twice().add(seen.approval_id)
        toast("Once you have answered it, it comes back before the sitting ends; nothing of it leaves until then.")


def begin() -> None:
    """Show the first of them before the sitting ends."""
    moving.go_to(None)
    st.query_params["lane"] = LANE
    toast("Second looks first. End sitting once more lets them go; their holds then count as ever.")


def banner() -> Html:
    """Say what is asked, and not what was answered."""
    return tag("p", tag("b", "Second look."), " Answer it as if for the first time. Nothing of it has left.",
               cls="banner back")  # fmt: skip


def answer(seen: Seen, verdict: Verdict) -> None:
    """Give the second answer; say both."""
    if not deciding.counts(seen):
        return
    here = identity.require("viewer")
    try:
        is_same = here.app.act(
            here.actor, "look again", lambda tx: look_again(tx, here.app.desk, here.actor, seen.approval_id, verdict)
        )
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    word, other = wording.VERDICT[verdict], wording.VERDICT["reject" if verdict == "approve" else "approve"]
    if is_same:
        toast(f"Both times: {word}. It leaves when its hold ends.")
        moving.go_to(seen.then)
    else:
        toast(f"First: {other}. Then: {word}. Nothing left; the question stands again.")
        moving.go_to(seen.then)
