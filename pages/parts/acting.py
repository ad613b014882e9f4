"""Do one command from a page; a refusal is one toast with its sentence."""

from __future__ import annotations

from collections.abc import Callable

from core.db.store import Tx
from core.errors import Refused
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.untrusted import toast


def act(here: Here, name: str, command: Callable[[Tx], object]) -> bool:
    """Do a command in a transaction of its own, and say whether it was done."""
    try:
        here.app.act(here.actor, name, command)
    except Refused as refused:
        toast(wording.refusal(refused))
        return False
    return True
