"""What is done at a local time: each duty with its next time and its last run, and an owner's form with what it means.

The next seven times of what is typed are shown as it is typed; nothing is saved before the press.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

import streamlit as st

from core.clock import iso, say_span
from core.desk.duties import DUTIES, USUAL_AT, set_duty_time, switch_duty_off
from core.duties.calendar import WEEKDAYS, Due, Rule, preview, read_rule, say_moved
from core.duties.duties import Duty, Run, list_with_last_runs
from core.errors import BadInput
from core.identity import storable
from core.views.sentence import say_time
from pages.parts import wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.plan import heading
from pages.parts.pressing import press
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, join, tag

EVERY_DAY = "every day"


def duties(here: Here) -> None:
    """Draw each duty and, for owners, its form."""
    with here.app.read() as conn:
        known = list_with_last_runs(conn, here.tenant_id)
    draw(heading("At a local time", "once for each local day, by a worker"))
    for name, does in DUTIES.items():
        duty, last = known.get(name, (None, None))
        draw(_line(here, name, does, duty, last))
        if here.may("owner"):
            _form(here, name, duty)


def _line(here: Here, name: str, does: str, duty: Duty | None, last: Run | None) -> Html:
    is_on = duty is not None and duty.next is not None
    said = join(foreign(duty.said), ", next ", when(duty.next.at, here.zone)) if duty and duty.next else "off"
    return tag(
        "p", tag("b", name), ": ", said, ". ", does, " ", _last(here, duty.rule, last) if duty and last else None,
        cls="duty on" if is_on else "duty",
    )  # fmt: skip


def _last(here: Here, rule: Rule, run: Run) -> Html:
    late = f"{say_span(run.late)} late" if run.late.total_seconds() >= 1 else "in time"
    came = ", ".join(f"{what} {n}" for what, n in (run.result or {}).items())
    parts = [f"{late}; {f'failed: {run.failed}' if run.failed else came or 'not ended'}."]
    if run.missed:
        parts.append(f"{wording.plural(run.missed, 'day', 'days')} before it had none: no worker was there.")
    return join("Last for ", when(run.due.at, here.zone), ", ", " ".join([*parts, say_moved(rule, run.due) or ""]))


def _form(here: Here, name: str, duty: Duty | None) -> None:
    rule = duty.rule if duty else None
    key = f"settings.duty.{name}"
    with st.expander("Set the time", icon=":material/schedule:", key=f"{key}.fold"):
        at, day, zone = st.columns(3)
        typed = (
            at.text_input(
                "Local time", value=f"{rule.at:%H:%M}" if rule else USUAL_AT[name], max_chars=5, key=f"{key}.at"
            ),
            zone.text_input("Time zone", value=rule.zone if rule else here.zone.key, max_chars=64, key=f"{key}.zone"),
            day.selectbox("On", [EVERY_DAY, *WEEKDAYS], index=_place(rule), key=f"{key}.day"),
        )
        try:
            wanted = _read(*typed)
        except BadInput as error:
            draw(tag("p", error.sentence, cls="turned-down", role="alert"))
            return
        draw(_next(wanted, preview(wanted, here.now)))
        with st.container(horizontal=True, gap="small"):
            press("Save the time", _save, name, *typed, key=f"{key}.save", icon=":material/save:")
            if duty is not None and duty.next is not None:
                st.button("Switch it off", key=f"{key}.off", type="tertiary", on_click=_off, args=(name,))


def _place(rule: Rule | None) -> int:
    return 0 if rule is None or rule.weekday is None else rule.weekday + 1


def _read(at: str, zone: str, day: str) -> Rule:
    return read_rule(storable(at), storable(zone.strip()), None if day == EVERY_DAY else day)


def _next(rule: Rule, dues: list[Due]) -> Html:
    lines = [tag("li", _instant(rule, due)) for due in dues]
    return tag(
        "section", tag("h3", "The next seven"), tag("ul", *lines), cls="would", aria_label="The next seven times"
    )  # fmt: skip


def _instant(rule: Rule, due: Due) -> Html:
    shown = tag("time", say_time(due.at, ZoneInfo(rule.zone)), datetime=iso(due.at))
    return join(shown, f" {say_moved(rule, due) or ''}".rstrip())


def _save(name: str, at: str, zone: str, day: str) -> None:
    here = require("viewer")
    rule = _read(at, zone, day)
    if act(here, "duty set", lambda tx: set_duty_time(tx, here.actor, name, rule)):
        st.toast("The time is saved.", icon=":material/check:")


def _off(name: str) -> None:
    here = require("viewer")
    if act(here, "duty off", lambda tx: switch_duty_off(tx, here.actor, name)):
        st.toast("It is off.", icon=":material/check:")
