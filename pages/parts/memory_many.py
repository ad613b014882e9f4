"""Change when many records expire: who leaves when is shown first, and only what was shown is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

import streamlit as st

from core.desk.memory_expiry import Leaving, change_expiry, preview_expiry
from core.errors import Refused
from core.views.memories import MemoryFilters, Shown, list_ids
from pages.parts import memory_words as words
from pages.parts import wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.pressing import press
from pages.parts.times import day
from pages.parts.untrusted import Html, draw, foreign, inline, tag, toast

TRIED = "memory.expiry.tried"
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """Which records shall end when. Without `only`, all that the filters find."""

    filters: MemoryFilters
    only: tuple[str, ...]
    on: date


def change_all(here: Here, filters: MemoryFilters, total: int, shown: Sequence[Shown]) -> None:
    """Draw the way to change all that the filter finds, or some of what the page shows."""
    said = {one.line.id: f"{one.line.id} · {(one.text or '')[:60]}" for one in shown}
    with st.expander("Change when these expire", icon=":material/event_busy:", key="memory.many"):
        only = st.multiselect(
            "Only these", list(said), key="memory.many.only", format_func=lambda one: said.get(one, one),
            placeholder=f"All {total} that the filter finds",
        )  # fmt: skip
        expiry_form(here, "many", filters, tuple(only))


def expiry_form(here: Here, key: str, filters: MemoryFilters, only: tuple[str, ...], most: date | None = None) -> None:
    """Draw the date, the preview and the button that changes what was previewed."""
    today = here.now.astimezone(here.zone).date()
    month = today + timedelta(days=30)
    # The widget's own name holds the day: a default that moves by itself would not be the date that was chosen.
    on = st.date_input(
        "Leaves at the start of", value=month if most is None else max(min(most, month), today + timedelta(days=1)),
        min_value=today + timedelta(days=1), key=f"memory.{key}.on.{today}", width=220,
    )  # fmt: skip
    if not isinstance(on, date):
        return
    asked = Asked(filters, only, on)
    press("Show who leaves when", _try, asked, key=f"memory.{key}.preview", icon=":material/visibility:")
    tried = st.session_state.get(TRIED)
    if tried is None or tried[0] != (here.tenant_id, asked):
        draw(tag("p", words.CHANGED_AT_MOST, cls="none"))
        return
    _result(here, key, tried[1], tried[2])


def _result(here: Here, key: str, found: Sequence[Leaving] | str, seen: Mapping[str, int]) -> None:
    if isinstance(found, str):
        draw(tag("p", found, cls="turned-down", role="alert"))
        return
    changed = [one for one in found if one.why_not is None]
    draw(_preview(found, len(changed), here))
    if changed:
        until = changed[0].would_leave_at
        label = f"Change {wording.plural(len(changed), 'record', 'records')}"
        wanted = {one.id: seen[one.id] for one in changed}
        st.button(
            inline(label), key=f"memory.{key}.change", type="primary", icon=":material/event_busy:",
            on_click=_change, args=(wanted, until),
        )  # fmt: skip


def _preview(found: Sequence[Leaving], changed: int, here: Here) -> Html:
    rows = [_leaving(one, here) for one in found[:MOST_SHOWN]]
    more = tag("li", f"and {len(found) - MOST_SHOWN} more") if len(found) > MOST_SHOWN else None
    stay = len(found) - changed
    return tag(
        "section",
        tag("h3", f"{wording.plural(changed, 'record', 'records')} would leave at another time"),
        tag(
            "p", f"{wording.plural(stay, 'record stays as it is', 'records stay as they are')}; why stands beside each."
        )
        if stay
        else None,
        tag("ul", *rows, more),
        cls="would",
        aria_label="Who would leave when",
    )


def _leaving(one: Leaving, here: Here) -> Html:
    name = tag("code", foreign(one.id))
    if one.why_not is not None:
        return tag("li", name, f" {one.kind}: stays, ", foreign(one.why_not))
    then, now = day(one.would_leave_at, here.zone), day(one.leaves_at, here.zone)
    return tag("li", name, f" {one.kind}: leaves ", then, ", not ", now)


def _try(asked: Asked) -> None:
    """Work out who leaves when, now that it is asked for; no page run does."""
    here = require("reviewer")
    at = datetime.combine(asked.on, time(0, 0), here.zone)
    seen: Mapping[str, int] = {}
    try:
        with here.app.read() as conn:
            seen = list_ids(conn, here.app.vault, here.tenant_id, asked.filters, here.now)
            seen = {one: seen[one] for one in asked.only if one in seen} if asked.only else seen
            found: Sequence[Leaving] | str = preview_expiry(conn, here.actor, seen, at)
    except Refused as refused:
        found = wording.refusal(refused)
    st.session_state[TRIED] = ((here.tenant_id, asked), found, seen)


def _change(seen: Mapping[str, int], at: datetime) -> None:
    """Change what was shown, as whoever is here now."""
    here = require("reviewer")
    if act(here, "memory expire", lambda tx: change_expiry(tx, here.actor, seen, at)):
        st.session_state.pop(TRIED, None)
        toast(f"{wording.plural(len(seen), 'record leaves', 'records leave')} at the new time.")
