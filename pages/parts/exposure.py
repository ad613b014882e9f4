"""How long this person has looked at what a question says, in this session.

The time is counted for what is shown, not for a version: an undo raises the version and changes nothing that was read.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import streamlit as st

from core.clock import pulse

LOOKS, TWICE = "review.looks", "review.twice"


@dataclass(slots=True)
class _Looks:
    """What lies open since when, the seconds that each was looked at before, and when each version first came up."""

    open: Hashable = None
    since: float = 0.0
    before: dict[Hashable, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)


def _looks() -> _Looks:
    kept: _Looks = st.session_state.setdefault(LOOKS, _Looks())
    return kept


def note_look(name: str | None, says: Hashable) -> None:
    """Note what is on the page now: a question's version by its name, and what it says; None where none is."""
    looks = _looks()
    if looks.open != says:
        looks.before[looks.open] = looks.before.get(looks.open, 0.0) + pulse() - looks.since
        looks.open, looks.since = says, pulse()
    if name is not None:
        looks.first.setdefault(name, pulse())


def looked_ms(says: Hashable) -> int:
    """Answer how many milliseconds something has been looked at, one time and another."""
    looks = _looks()
    now = pulse() - looks.since if looks.open == says else 0.0
    return round((looks.before.get(says, 0.0) + now) * 1000)


def was_up(name: str, seconds: float) -> bool:
    """Say whether a question's version came up on this page, and that long ago."""
    looks = _looks()
    return name in looks.first and pulse() - looks.first[name] >= seconds


def wanted_twice() -> set[str]:
    """Answer the questions whose verdict this person wants to look at once more before the sitting ends."""
    found: set[str] = st.session_state.setdefault(TWICE, set())
    return found
