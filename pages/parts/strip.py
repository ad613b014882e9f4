"""The strip on top of a sitting: the time, what waits and is due, what changed, how long it takes, the worker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import streamlit as st

from core.clock import iso
from core.views.frame import living
from core.views.sitting import Head
from core.views.sittings import Pace
from pages.parts.identity import Here
from pages.parts.untrusted import Html, tag

LOOKED = "review.looked"


def strip(here: Here, heads: Sequence[Head], held: int, pace: Pace, changed: int) -> Html:
    """Say the time here, how much waits, is due and changed, how long that takes, what is held, how the worker is."""
    by, word = _next_line(here)
    due = sum(head.due_at <= by for head in heads)
    heads = [head for head in heads if head.until_at is None]
    minutes = pace.minutes_for(len(heads))
    parts = [
        tag(
            "time", here.now.astimezone(here.zone).strftime("%a %H:%M %Z"), datetime=iso(here.now), title=iso(here.now)
        ),
        tag("span", tag("b", str(len(heads))), " to decide"),
        tag("span", tag("b", str(due)), f" due before {word}", cls="soon" if due else None),
        tag("span", tag("b", str(changed)), " changed since you looked", cls="soon") if changed else None,
        tag("span", f"about {minutes} min at your pace") if minutes is not None else None,
        tag("span", "held ", tag("b", str(held))),
        _worker(here),
    ]
    return tag("p", *parts, cls="strip", aria_label="This sitting")


def _next_line(here: Here) -> tuple[datetime, str]:
    local = here.now.astimezone(here.zone)
    noon = local.replace(hour=12, minute=0, second=0, microsecond=0)
    return (noon, "noon") if local < noon else (noon + timedelta(hours=12), "midnight")


def _worker(here: Here) -> Html:
    workers = living(here.frame.workers, here.app.is_gone)
    if not workers:
        return tag("span", "no worker: nothing leaves", cls="ill")
    if workers[0].is_silent:
        return tag("span", f"worker silent for {int(workers[0].silent_for)} s", cls="ill")
    return tag("span", f"worker ok, heard {int(workers[0].silent_for)} s ago", cls="well")


def count_changed(heads: Sequence[Head], current: Head | None) -> int:
    """Count what waits and came or changed since this page was first drawn, and has not been looked at since."""
    if LOOKED not in st.session_state:
        st.session_state[LOOKED] = {head.approval_id: head.version for head in heads}
    looked: dict[str, int] = st.session_state[LOOKED]
    if current is not None:
        looked[current.approval_id] = current.version
    return sum(looked.get(head.approval_id) != head.version for head in heads)


def day_began(here: Here) -> datetime:
    """Answer when today began where times are shown."""
    local = here.now.astimezone(here.zone)
    return local.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
