"""Do one command from a page; a refusal is one toast with its sentence. And show the same as a command to be copied."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import streamlit as st

from core.db.store import Tx
from core.errors import Refused
from pages.parts import identity, wording
from pages.parts.identity import Here
from pages.parts.untrusted import toast

CHOSEN = "run.act.what"
NOTHING = "Choose what to do"


def act(here: Here, name: str, command: Callable[[Tx], object]) -> bool:
    """Do a command in a transaction of its own, and say whether it was done."""
    try:
        here.app.act(here.actor, name, command)
    except Refused as refused:
        toast(wording.refusal(refused))
        return False
    return True


def done(name: str, what: Callable[[Tx, Here], object]) -> bool:
    """Do one of a run's acts in the name of whoever is here, say so, and close its form; answer whether it was done."""
    here = identity.require("viewer")
    if not act(here, name, lambda tx: what(tx, here)):
        return False
    toast("Done. It stands in the audit log in your name.")
    st.session_state[CHOSEN] = NOTHING
    return True


def command(*words: str, acts: bool = True) -> None:
    """Show the same as a command, to be copied."""
    who = ["--as", "EMAIL"] if acts else []
    st.code(f"python -m core {shlex.join(words)} {' '.join(who)}".strip(), language=None)
