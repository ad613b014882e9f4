"""What a person may do to a run: each act on the version that is shown, in their name, audited, and as a command.

The form of an act stays as it is while the page is drawn anew: its keys do not change with the run's version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta

import streamlit as st

from core.clock import iso
from core.desk.asking import ask_thread, may_ask, move_deadline
from core.desk.decisions import Answer, ask_again, decide_approval
from core.desk.outside import Outside, receive_event
from core.desk.repairs import cancel_thread, park_thread, retry_thread
from core.steps import Json
from core.views.fixture import read_fixture
from core.views.run import Run
from pages.parts import plan, run_growth, run_replan, wording
from pages.parts.acting import CHOSEN, NOTHING, command, done
from pages.parts.identity import Here
from pages.parts.pressing import press
from pages.parts.untrusted import draw, inline, tag


def panel(run: Run, here: Here) -> None:
    """Draw the acts that the run's state allows; a viewer is told that they may look."""
    draw(plan.heading("Act on this run"))
    if here.may("reviewer"):
        offered = _offered(run, here)
        what = st.selectbox("What to do", [NOTHING, *offered], key=CHOSEN, label_visibility="collapsed", width=320)
        if what in offered:
            offered[what](run, here)
        if may_ask(here.app.desk, run.thread, "retract"):
            st.button("Retract the invite", key="run.retract", on_click=_ask, args=(run.thread.id, "retract"))
    else:
        draw(tag("p", wording.ONLY_ACT, cls="none"))
    _fixture(run, here)


def _offered(run: Run, here: Here) -> Mapping[str, Callable[[Run, Here], None]]:
    thread, desk = run.thread, here.app.desk
    events = () if thread.workflow not in desk.check_event else desk.workflows[thread.workflow].events
    asks = any(one.status == "pending" or one.is_held for one in run.approvals)
    every: list[tuple[str, bool, Callable[[Run, Here], None]]] = [
        ("Retry", thread.status == "parked", _retry),
        ("Answer in this sandbox", thread.is_sandbox and asks, _answer),
        ("Record an event by hand", bool(events), _event),
        ("Move the deadline", may_ask(desk, thread, "deadline"), _deadline),
        ("Send the invite once more", may_ask(desk, thread, "resend"), _resend),
        ("Write the plan ahead", run_growth.is_led(run) and not thread.has_ended, run_replan.form),
        ("Ask again", asks, _again),
        ("Park", not thread.has_ended and thread.status != "parked", _park),
        ("Cancel", not thread.has_ended, _cancel),
    ]
    return {name: form for name, is_there, form in every if is_there}


def _retry(run: Run, _here: Here) -> None:
    _press("Retry", run, retry_thread, "It is due at once, its tries forgotten.")


def _park(run: Run, _here: Here) -> None:
    _press("Park", run, park_thread, "It stops where it stands; nothing of it leaves until it is retried.")


def _cancel(run: Run, _here: Here) -> None:
    _press("Cancel", run, cancel_thread, "It ends. Questions are withdrawn, what it planned is void, nobody is mailed.")


def _press(name: str, run: Run, what: Callable[..., None], means: str) -> None:
    draw(tag("p", means, cls="none"))
    seen = run.thread.version
    st.button(wording.REPAIR[name], key=f"run.act.{name}", on_click=_repair, args=(run.thread.id, name, what, seen))
    command(name.lower(), run.thread.id)


def _repair(thread_id: str, name: str, what: Callable[..., None], seen: int) -> None:
    done(name.lower(), lambda tx, here: what(tx, here.actor, thread_id, seen_version=seen))


def _again(run: Run, _here: Here) -> None:
    draw(
        tag(
            "p",
            "The question gets a new version, on what is true now. An answer that is held is a draft then.",
            cls="none",
        )
    )
    st.button("Ask again", key="run.act.again", on_click=_ask_again, args=(run.thread.id,))
    command("ask-again", run.thread.id)


def _ask_again(thread_id: str) -> None:
    done("ask again", lambda tx, here: ask_again(tx, here.app.desk, here.actor, thread_id))


def _resend(run: Run, _here: Here) -> None:
    draw(tag("p", "A question is asked first, with the letter to see. It leaves under a key of its own.", cls="none"))
    st.button("Ask whether to send it again", key="run.act.resend", on_click=_ask, args=(run.thread.id, "resend"))
    command("resend", run.thread.id)


def _ask(thread_id: str, name: str) -> None:
    done(name, lambda tx, here: ask_thread(tx, here.app.desk, here.actor, thread_id, name))


def _deadline(run: Run, here: Here) -> None:
    stands = run.thread.until_at or here.now
    at = _instant("The new deadline", "deadline", stands.astimezone(here.zone), here)
    draw(
        tag("p", "The reminder follows, unless it has gone. Nobody is told by letter: tell them yourself.", cls="none")
    )
    press("Move the deadline", _move, run.thread.id, at, key="run.act.deadline")
    command("deadline", run.thread.id, "--to", str(iso(at)))


def _move(thread_id: str, at: datetime) -> None:
    done("deadline", lambda tx, here: move_deadline(tx, here.app.desk, here.actor, thread_id, at))


def _event(run: Run, here: Here) -> None:
    names = here.app.desk.workflows[run.thread.workflow].events
    name = st.selectbox("What happened", names, key="run.act.event.name", width=320)
    data = _booking(here) if name == "booking" else _told()
    press("Record it", _record, run.thread.id, name, data, key="run.act.event")
    command("event", run.thread.id, name, "--data", json.dumps(data, ensure_ascii=False))


def _booking(here: Here) -> dict[str, Json]:
    tomorrow = datetime.combine((here.now + timedelta(days=1)).astimezone(here.zone).date(), time(10), here.zone)
    return {"slot": str(iso(_instant("Booked by phone, for", "slot", tomorrow, here)))}


def _told() -> dict[str, Json]:
    reason = st.text_input("Why, if they said", key="run.act.event.reason", max_chars=500).strip()
    return {"reason": reason} if reason else {}


def _record(thread_id: str, name: str, data: Mapping[str, Json]) -> None:
    done("event", lambda tx, here: receive_event(tx, here.app.desk, here.actor, thread_id, Outside(name, data)))


def _instant(label: str, key: str, stands: datetime, here: Here) -> datetime:
    """Ask for a day and a time in the home's zone, and answer the instant."""
    with st.container(horizontal=True):
        day = st.date_input(label, value=stands.date(), key=f"run.act.{key}.day", width=160)
        hour = st.time_input(f"At ({here.zone.key})", value=stands.time(), key=f"run.act.{key}.time", width=160)
    return datetime.combine(day or stands.date(), hour or stands.time(), here.zone)


def _answer(run: Run, _here: Here) -> None:
    draw(tag("p", "Nothing leaves a sandbox, whatever is answered.", cls="none"))
    for one in (one for one in run.approvals if one.status == "pending"):
        with st.container(horizontal=True):
            for verdict in ("approve", "reject"):
                label = inline(f"{wording.DID.get((one.kind, verdict), verdict.capitalize())}: {one.about}")
                st.button(
                    label, key=f"run.act.{verdict}.{one.id}.{one.version}",
                    on_click=_decide, args=(one.id, verdict, one.version),
                )  # fmt: skip


def _decide(approval_id: str, verdict: str, version: int) -> None:
    answer = Answer("approve" if verdict == "approve" else "reject", version)
    done("decide", lambda tx, here: decide_approval(tx, here.app.desk, here.actor, approval_id, answer))


def _fixture(run: Run, here: Here) -> None:
    def text() -> str:
        with here.app.read() as conn:
            workflow = here.app.desk.workflows.get(run.thread.workflow)
            return json.dumps(read_fixture(conn, here.app.vault, run.thread, workflow), indent=1)

    name = f"{run.thread.id.replace('/', '-')}.fixture.json"
    st.download_button(
        "Save as fixture (names nobody)", text, file_name=name, mime="application/json", key="run.fixture",
        type="tertiary", icon=":material/science:",
    )  # fmt: skip
