"""What the model saw at a step, item by item, and the same moment with today's rows."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.context.show import Shown, ShownItem
from core.desk.desk import Doors
from core.desk.packets import look_at_packet
from core.errors import DaybookError
from core.views.run import Run
from pages.parts import identity, plan
from pages.parts.identity import Here
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, foreign, tag, toast

STANDS = {"same": "word for word as now", "changed": "changed since", "gone": "gone since", None: "–"}
BUILT = "run.model.built"
NOW = "As it would be now"


def page(run: Run, _here: Here) -> None:
    """Draw the choice of a step, and what was looked up for it: a press, for what reads memory is audited."""
    draw(
        tag(
            "p", "What is kept of a call is what it was built from: no text. Each item is a row at a version.", cls="id"
        )
    )
    sent = dict.fromkeys(one.step for one in run.plan if one.status == "done")
    step = st.selectbox("Step", [*(name for name in sent if name), NOW], key="run.model.step", width=260)
    press("Look it up", _look, run.thread.id, step, key="run.model.look", icon=":material/search:")
    built = st.session_state.get(BUILT, {})
    if built.get("thread") == run.thread.id and built.get("step") == step:
        shown = built["shown"]
        if isinstance(shown, str):
            draw(tag("p", foreign(shown), cls="empty"))
        else:
            draw(packet(cast("Shown", shown)))


def _look(thread_id: str, step: str) -> None:
    here = identity.require("viewer")
    doors, desk = Doors(here.app.read, here.app.write), here.app.desk
    try:
        shown: Shown | str = here.app.attempt(
            here.actor, "context",
            lambda: look_at_packet(doors, desk, here.actor, thread_id, None if step == NOW else step),
        )  # fmt: skip
    except DaybookError as refused:
        shown = refused.sentence
        toast(refused.sentence)
    st.session_state[BUILT] = {"thread": thread_id, "step": step, "shown": shown}


def packet(shown: Shown) -> Html:
    """Show a packet: its items by slot, each with its row and size, and what was filtered and why."""
    total = sum(one.tokens for one in shown.items)
    when = "as it would be now" if shown.checkpoint is None else f"as sent at checkpoint {shown.checkpoint}"
    return tag(
        "div",
        plan.heading(f"{shown.step}, {when}", f"{total:,} of {shown.budget_tokens:,} tokens"),
        _items(shown),
        plan.heading("Filtered out", str(len(shown.filtered))),
        _filtered(shown),
        cls="packet",
    )


def _items(shown: Shown) -> Html:
    heads = [tag("th", one, scope="col") for one in ("Slot", "Source row", "Size", "Value", "Against today's rows")]
    return tag(
        "table",
        tag("caption", "What was sent", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_item(one) for one in shown.items)),
        cls="grid",
    )


def _item(one: ShownItem) -> Html:
    cells: list[str | Html | None] = [
        one.slot, tag("code", foreign(f"{one.source}/{one.id}@{one.version}")), f"{one.tokens:,} tokens",
        one.value and foreign(one.value), STANDS[one.stands],
    ]  # fmt: skip
    return tag("tr", *(tag("td", cell) for cell in cells))


def _filtered(shown: Shown) -> Html:
    if not shown.filtered:
        return tag("p", "Nothing was considered and left out.", cls="none")
    lines = [
        tag(
            "li",
            tag("code", foreign(f"{one['source']}/{one['id']}")),
            f" · {one['reason']}",
            f" ({one['part']})" if one.get("part") else None,
        )
        for one in shown.filtered
    ]
    return tag("ul", *lines, cls="rows")
