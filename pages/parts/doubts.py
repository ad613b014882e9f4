"""The unknown desk: what is known of a letter that nobody knows of, and the two honest answers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.clock import pulse
from core.desk.outside import settle_unknown_effect
from core.views.doubts import Doubt
from pages.parts import identity, wording
from pages.parts.acting import act
from pages.parts.deciding import EXPOSURE_SECONDS
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, tag, toast

SHOWN = "run.doubts.shown"
LONGEST_REFERENCE = 200


def desk(doubts: Sequence[Doubt], here: Here) -> None:
    """Show each effect in doubt, with the two answers for whoever may give them."""
    before = st.session_state.get(SHOWN, {})
    st.session_state[SHOWN] = {seen: before.get(seen, pulse()) for seen in map(_seen, doubts)}
    for doubt in doubts:
        with st.container(border=True, key=_key("desk", *_seen(doubt))):
            draw(facts(doubt, here))
            if here.may("reviewer"):
                _answers(doubt)
            else:
                draw(tag("p", wording.ONLY_SETTLERS, cls="none"))


def _seen(doubt: Doubt) -> tuple[str, int]:
    return doubt.entry.key, doubt.entry.attempt


def _key(what: str, key: str, attempt: int) -> str:
    return f"run.doubt.{what}.{key}.{attempt}"


def facts(doubt: Doubt, here: Here) -> Html:
    """Show what is known: key, recipient, when it began, by which server, why nobody knows, what to look for."""
    entry = doubt.entry
    known: list[tuple[str, str | Html | None]] = [
        ("Key", tag("code", foreign(entry.key))),
        ("To", doubt.to and foreign(doubt.to)),
        ("Subject", doubt.subject and foreign(doubt.subject)),
        ("Began", when(entry.sending_at, here.zone)),
        ("Handed to", entry.via and tag("code", foreign(entry.via))),
        ("Message-ID", entry.trace and tag("code", foreign(entry.trace))),
        ("Why nobody knows", wording.doubt(entry.why)),
    ]
    pairs = [part for term, said in known if said for part in (tag("dt", term), tag("dd", said))]
    return tag(
        "section", tag("h2", "Nobody knows whether this was sent"), tag("dl", *pairs, cls="known"),
        tag("p", wording.HOW_TO_SETTLE), cls="doubt",
    )  # fmt: skip


def _answers(doubt: Doubt) -> None:
    seen = _seen(doubt)
    st.text_input(
        "Reference: where you found it", key=_key("reference", *seen), max_chars=LONGEST_REFERENCE,
        placeholder="the server's queue id, or the mailbox it lies in",
    )  # fmt: skip
    with st.container(horizontal=True):
        st.button("It was sent", key=_key("sent", *seen), on_click=_sent, args=seen, icon=":material/done:")
        st.button(
            "It was not sent: send it again", key=_key("again", *seen), on_click=_again, args=seen,
            icon=":material/forward_to_inbox:",
        )  # fmt: skip


def _sent(key: str, attempt: int) -> None:
    _settle(key, attempt, str(st.session_state.get(_key("reference", key, attempt), "")).strip())


def _again(key: str, attempt: int) -> None:
    _settle(key, attempt, None)


def _settle(key: str, attempt: int, happened: str | None) -> None:
    """Write one answer; a press that came before anybody could have read what it answers counts for nothing."""
    shown_at = st.session_state.get(SHOWN, {}).get((key, attempt))
    if shown_at is None or pulse() - shown_at < EXPOSURE_SECONDS:
        toast(wording.TOO_SOON)
        return
    here = identity.require("viewer")
    desk, actor = here.app.desk, here.actor
    if act(here, "settle", lambda tx: settle_unknown_effect(tx, desk, actor, key, happened, seen_attempt=attempt)):
        toast(wording.SENT_AGAIN if happened is None else wording.SETTLED)
