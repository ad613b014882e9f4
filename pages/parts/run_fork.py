"""Fork a run: what came after the point, what a fork does about each, and the way to open one."""

from __future__ import annotations

import streamlit as st

from core.desk.desk import Doors
from core.desk.forking import fork_thread, preview_fork
from core.errors import Refused
from core.views.after import After, EffectAfter
from core.views.run import Run
from core.views.threads import list_checkpoints
from pages.parts import identity, plan, wording
from pages.parts.acting import command
from pages.parts.identity import Here
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, foreign, tag, toast

MARKS = {
    "reuse": ("Reuse its receipt", "What it read is taken over; it is not read again."),
    "again": ("Would send again", "Only under a new key, after an answer of its own. In a sandbox never."),
    "settle": ("Unknown: settle first", "Nobody knows whether it left. Say what you found, then fork."),
    "nothing": ("Never left", "It was planned or void; nothing of it is repeated."),
}
ON_A_COPY = (
    "The fork works on a copy of this run's folder as it is now, not as it was at an earlier checkpoint. "
    "What it does there, this run never sees; a letter never leaves it."
)


def page(run: Run, here: Here) -> None:
    """Draw the choice of a point and everything after it."""
    works_on_a_folder = here.app.desk.works_on_a_folder(run.thread.workflow)
    at = run.thread.checkpoint if works_on_a_folder else _choose(run, here)
    try:
        with here.app.read() as conn:
            after = preview_fork(conn, here.app.desk, here.tenant_id, run.thread.id, at)
    except Refused as refused:
        draw(tag("p", foreign(wording.refusal(refused)), cls="empty"))
        return
    if works_on_a_folder:
        draw(tag("p", ON_A_COPY, cls="none"))
    draw(listed(after))
    if not here.may("reviewer"):
        draw(tag("p", "You may look. Owners and reviewers fork.", cls="none"))
        return
    live = not works_on_a_folder and st.toggle(
        "Not a sandbox: it may send what is approved in it anew", key="run.fork.live"
    )
    press(
        "Open a live fork" if live else "Open a sandbox", _open, run.thread.id, at, live, key=f"run.fork.open.{at}",
        type="primary", disabled=after.is_unsettled, icon=":material/fork_right:",
    )  # fmt: skip
    command("fork", run.thread.id, "--at", str(at), *(["--live"] if live else []))


def _choose(run: Run, here: Here) -> int:
    with here.app.read() as conn:
        checkpoints = list_checkpoints(conn, run.thread)
    names = [f"{one.number} · {one.step}" for one in checkpoints]
    name = st.selectbox("Fork at checkpoint", names, index=max(0, len(names) - 2), key="run.fork.at", width=320)
    return checkpoints[names.index(name)].number if name in names else 0


def listed(after: After) -> Html:
    """Show where a fork begins, each effect after the point, and the answers that count for nothing there."""
    moved = after.begins_at != after.asked_for
    why = " An answer before the point let something out, so it is asked anew." if moved else ""
    effects = [_effect(one) for one in after.effects]
    void = [
        tag("li", tag("b", foreign(one.about)), f" {one.status} by ", foreign(one.decided_by or "somebody"))
        for one in after.void
    ]
    return tag(
        "div",
        tag("p", f"A fork begins at checkpoint {after.begins_at}, at the step {after.step}.{why}"),
        plan.heading("What left after the point", str(len(effects))),
        tag("ul", *effects, cls="rows") if effects else tag("p", "Nothing.", cls="none"),
        plan.heading("Answers that count for nothing in the fork", str(len(void))),
        tag("ul", *void, cls="rows") if void else tag("p", "None was given after the point.", cls="none"),
    )


def _effect(one: EffectAfter) -> Html:
    word, means = MARKS[one.mark]
    return tag(
        "li",
        tag("div", tag("code", foreign(one.entry.key)), tag("span", word, cls=f"mark k-{one.mark}"), cls="line"),
        tag("p", f"{wording.EFFECT[one.entry.status]}. {means}"),
    )


def _open(thread_id: str, at: int, live: bool) -> None:  # noqa: FBT001 - a callback's argument
    here = identity.require("viewer")
    doors, desk = Doors(here.app.read, here.app.write), here.app.desk
    try:
        made = here.app.attempt(
            here.actor, "fork", lambda: fork_thread(doors, desk, here.actor, thread_id, at, sandbox=not live)
        )
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    toast(f"{made.thread_id} is open.")
    st.query_params["id"] = made.thread_id
    st.session_state["view"] = "Plan"
