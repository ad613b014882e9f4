"""What of memory wants a person: bounds that were passed, and records that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import streamlit as st

from core.people.people import names_of
from core.views.memories import Shown, list_contested
from core.views.memory_notices import read_notices
from pages.parts import memory_list, memory_record, wording
from pages.parts import memory_words as words
from pages.parts.identity import Here
from pages.parts.memory_acts import stands
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, tag

MOST_ALARMS = 8


def notices(here: Here, owners: Mapping[str, str]) -> None:
    """Draw them above the table; nothing where there is nothing."""
    with here.app.read() as conn:
        found = read_notices(conn, here.tenant_id, here.now, here.app.bounds)
        contested = list_contested(conn, here.app.vault, here.tenant_id, here.now) if found.contested else []
    if found.alarms:
        draw(heading("Alarms", "a bound was passed; nothing was stopped"))
        draw(memory_list.alarms(found.alarms, owners, here))
    groups = [list(same) for _, same in groupby(contested, key=lambda one: one.key)]
    whole = [same for same in groups if len(same) > 1]
    for same in whole[:3]:
        conflict(same, owners, here)


def noticed(here: Here) -> list[Html]:
    """Answer lines for the front page: passed bounds, and records that want a person."""
    with here.app.read() as conn:
        found = read_notices(conn, here.tenant_id, here.now, here.app.bounds)
        owners = names_of(conn, here.tenant_id) if found.alarms else {}
    lines = [memory_list.alarm_line(one, owners, here) for one in found.alarms[:MOST_ALARMS]]
    for count, state, said in (
        (found.contested, "Contested", words.CONFLICT),
        (found.quarantined, "Quarantined", words.QUARANTINE),
    ):
        if count:
            lines.append(_waits(count, state, said))
    return lines


def _waits(count: int, state: str, said: str) -> Html:
    records = wording.plural(count, "record", "records")
    lead = tag("a", f"Memory: {records}", href=f"/memory?state={state}", cls="lead", target="_self")
    chip = tag("span", tag("span", cls="dot"), state, cls="state a-pending")
    return tag("li", tag("div", tag("span", lead, cls="who"), chip, cls="line"), tag("p", said))


def conflict(same: Sequence[Shown], owners: Mapping[str, str], here: Here) -> None:
    """Draw records that say different things under one key, and ask which stands."""
    seen = {one.line.id: one.line.version for one in same}
    with st.container(border=True, key=f"memory-conflict-{same[0].line.id}"):
        draw(tag("div", tag("h2", "Which of these stands?"), tag("p", words.CONFLICT), cls="which"))
        for column, one in zip(st.columns(len(same[:4]), gap="large"), same[:4], strict=True):
            with column:
                draw(memory_record.rival(one, owners, here))
                if here.may("reviewer"):
                    stands(one, seen)
