"""What-if: the context of one run with a record and without it. Nothing is sent."""

from __future__ import annotations

import streamlit as st

from core.context.show import Shown, ShownItem
from core.desk.desk import Doors
from core.desk.packets import WhatIf, look_what_if
from core.errors import DaybookError
from core.views.memory_record import MemoryRecord
from pages.parts import memory_words as words
from pages.parts.identity import Here, require
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, foreign, join, tag

TRIED = "memory.what-if"


def what_if(record: MemoryRecord, here: Here) -> None:
    """Draw the run that is asked about, the button that builds both contexts, and what it built."""
    line = record.shown.line
    if "thread" not in st.session_state and "thread" not in st.query_params and record.reads:
        st.session_state["thread"] = record.reads[0].thread_id
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        thread = st.text_input(
            "Run", key="thread", bind="query-params", placeholder="The id of a run", max_chars=200, width=280
        ).strip()
        press(
            "Compare", _try, thread, line.id, line.version, key=f"memory.compare.{line.id}",
            icon=":material/compare_arrows:", disabled=not thread,
        )  # fmt: skip
    tried = st.session_state.get(TRIED)
    if tried is None or tried[0] != (here.tenant_id, thread, line.id, line.version):
        draw(tag("p", "Shows the context of a run with this record and without it. Nothing is sent.", cls="none"))
    elif isinstance(tried[1], WhatIf):
        draw(_compared(tried[1]))
    else:
        draw(tag("p", tried[1], cls="turned-down", role="alert"))


def _compared(found: WhatIf) -> Html:
    allowed = "If a person allowed it, it" if found.is_allowed else "It"
    if found.slots:
        said = tag("p", tag("b", f"{allowed} would fill slot {', '.join(found.slots)}"), ".")
    elif found.with_it.items == found.without_it.items:
        said = tag("p", tag("b", words.FILLS_NOTHING), _why(found))
    else:
        said = tag("p", tag("b", f"{allowed} would fill no slot, and yet what is sent would differ."), _why(found))
    sides = (
        _side("With it", found.with_it, found.without_it),
        _side("Without it", found.without_it, found.with_it),
    )
    return tag(
        "section", said, tag("div", *sides, cls="columns"), cls="conflict compared",
        aria_label="The context with it and without it",
    )  # fmt: skip


def _why(found: WhatIf) -> str:
    reason = next((one["reason"] for one in found.with_it.filtered if one["id"] == found.memory_id), None)
    return f" It {words.REASON.get(str(reason), str(reason))}." if reason else f" {words.NO_RECALL}"


def _side(title: str, mine: Shown, other: Shown) -> Html:
    theirs = {_name(one) for one in other.items}
    rows = [_item(one, is_only=_name(one) not in theirs) for one in mine.items]
    tokens = sum(one.tokens for one in mine.items)
    return tag("div", tag("h3", f"{title} · {tokens} tokens"), tag("ul", *rows, cls="packet"))


def _name(one: ShownItem) -> tuple[str, str, str]:
    return one.slot, one.source, one.id


def _item(one: ShownItem, *, is_only: bool) -> Html:
    said = join(tag("b", one.slot), " ", tag("code", foreign(one.id)), f" v{one.version}, {one.tokens} tokens")
    return tag("li", tag("mark", said) if is_only else said)


def _try(thread_id: str, memory_id: str, version: int) -> None:
    """Build both now that they are asked for; no page run does."""
    here = require("viewer")
    app, actor = here.app, here.actor
    doors = Doors(app.read, app.write)
    try:
        found: WhatIf | str = app.attempt(
            actor, "memory what-if", lambda: look_what_if(doors, app.desk, actor, thread_id, memory_id)
        )
    except DaybookError as broken:  # a run whose state cannot be read breaks no page
        found = broken.sentence
    st.session_state[TRIED] = ((here.tenant_id, thread_id, memory_id, version), found)
