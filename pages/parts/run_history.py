"""The scrubber: a run's state at one checkpoint, and what was new there, each change with its causes."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from core.steps import Json
from core.views.differences import ABSENT, Difference
from core.views.history import Cause, Changed, Moment, read_history
from core.views.run import Run
from core.views.threads import Checkpoint
from pages.parts import ledger, plan, wording
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, join, tag

AT = "at"
LONGEST = 400
SOURCES = {
    "step": "step", "person": "person", "event": "event", "model": "model", "recall": "recall", "version": "version",
}  # fmt: skip


def page(run: Run, here: Here) -> None:
    """Draw the scrubber and the checkpoint that it stands at."""
    with here.app.read() as conn:
        moments = read_history(conn, here.app.vault, run.thread, here.app.desk.workflows.get(run.thread.workflow))
    moment = moments[chosen(moments)]
    draw(_head(moment, len(moments), here))
    if not moment.is_whole:
        draw(tag("p", "Some of what was saved here cannot be opened any more: its key is gone.", cls="none"))
    draw(changes(moment))
    with st.expander("The whole state at this point", key="run.state"):
        draw(state(moment))
    with st.expander(wording.counted("Checkpoints", len(moments)), key="run.checkpoints"):
        draw(ledger.checkpoints([Checkpoint(one.number, one.step, one.cause, one.at) for one in moments], here))


def chosen(moments: Sequence[Moment]) -> int:
    """Draw the slider, and answer the checkpoint that it stands at: the newest, until it is moved."""
    last = len(moments) - 1
    if last < 1:
        return 0
    names = [f"{one.number} · {one.step}" for one in moments]
    name = st.select_slider("Checkpoint (arrow keys move it)", names, value=names[last], key=AT, bind="query-params")
    return names.index(name) if name in names else last


def _head(moment: Moment, count: int, here: Here) -> Html:
    cause = wording.CAUSE[moment.cause]
    told = f"Checkpoint {moment.number} of {count - 1}: {moment.step}, {cause}"
    return tag(
        "div",
        plan.heading(told, f"next: {moment.next_step}"),
        tag("p", when(moment.at, here.zone), " · ", *_caused(moment.causes), cls="id"),
    )


def changes(moment: Moment) -> Html:
    """Show field by field what was new at a checkpoint, and what each change came from."""
    if not moment.changes:
        return tag("p", "No field changed at this checkpoint.", cls="none")
    heads = [tag("th", head, scope="col") for head in ("Field", "Before", "After", "Cause")]
    return tag(
        "table",
        tag("caption", "What changed", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_changed(one) for one in moment.changes)),
        cls="grid changes",
    )


def _changed(one: Changed) -> Html:
    return tag(
        "tr",
        tag("td", tag("code", foreign(" · ".join(one.difference.path)))),
        tag("td", shown(one.difference.before), cls="before"),
        tag("td", shown(one.difference.after), cls="after"),
        tag("td", *_caused(one.causes), cls="cause"),
    )


def _caused(causes: Sequence[Cause]) -> list[Html]:
    return [
        tag(
            "span", tag("small", SOURCES[one.source]), " ", foreign(one.words),
            tag("code", foreign(one.ref)) if one.ref and one.source != "step" else None, cls=f"from c-{one.source}",
        )
        for one in causes
    ]  # fmt: skip


def shown(value: Json) -> Html:
    """Show one value: nothing, a word, or a thing with its parts; what is long is cut and says so."""
    if value is ABSENT or value is None or value in ("", [], {}):
        return tag("span", "–", cls="none", title="nothing")
    if isinstance(value, dict):
        said = ", ".join(f"{name} {_word(one)}" for name, one in value.items() if one not in (None, "", [], {}))
    elif isinstance(value, list):
        said = "; ".join(_word(one) for one in value)
    else:
        said = _word(value)
    cut = f"{said[:LONGEST]}… ({len(said):,} characters)" if len(said) > LONGEST else said
    return foreign(cut)


def _word(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def state(moment: Moment) -> Html:
    """Show every field as it stood."""
    return fields(sorted(moment.fields.items()))


def fields(pairs: Sequence[tuple[str, Json]]) -> Html:
    """Show fields with their values."""
    rows = [join(tag("dt", tag("code", name)), tag("dd", shown(value))) for name, value in pairs]
    return tag("dl", *rows, cls="known state")


def differences(found: Sequence[Difference], left: str, right: str, name: str) -> Html:
    """Show what differs between two things, side by side."""
    heads = [tag("th", foreign(head), scope="col") for head in ("Field", left, right)]
    rows = [
        tag("tr", tag("td", tag("code", foreign(" · ".join(one.path)))), tag("td", shown(one.before)),
            tag("td", shown(one.after)))
        for one in found
    ]  # fmt: skip
    return tag(
        "table", tag("caption", name, cls="unseen"), tag("thead", tag("tr", *heads)), tag("tbody", *rows),
        cls="grid changes",
    )  # fmt: skip
