"""A person writes what lies ahead in a plan that grows, while its run stands still.

What is done stays as it is, and so does the step where the run stands: something may be asked or chosen there already.
The next call reads the plan as it then stands, with this revision's number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import BadInput, StaleVersion
from core.people.people import check_may_decide
from core.steps import Advance, Revision, Workflow, plain
from core.threads.growing import count_revisions, grow, title_of
from core.threads.pinned import POLICY, get_pinned
from core.threads.repair import go_to_step, refuse_ended
from core.threads.rows import Thread, get_thread
from core.threads.tables import PlanStep

_plan = PlanStep.__table__  # type: ignore[attr-defined]
LONGEST_TITLE, LONGEST_REASON = 160, 300


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is to lie ahead, a title a step, and why; `seen` is the number of the newest revision that was seen."""

    titles: Sequence[str]
    reason: str
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Replanned:
    """What was written: the revision's number, and the step that is next."""

    revision: int
    step: str


def replan(tx: Tx, desk: Desk, actor: Actor, thread_id: str, ahead: Ahead) -> Replanned:
    """Write the titles of all steps after the one where the run stands, in order, and why.

    A title that stood ahead already keeps its step; one that is not named any more is skipped. Raises NotFound,
    NotAllowed, StaleVersion, and BadInput where the plan is not to be written by hand now.
    """
    check_may_decide(actor.member)
    thread = get_thread(tx.conn, actor.tenant_id, thread_id)
    workflow = _growing(desk, thread)
    newest = count_revisions(tx.conn, thread)
    if ahead.seen is not None and ahead.seen != newest:
        raise StaleVersion(f"You saw plan {ahead.seen} of {thread_id}; it is at plan {newest} now. Look again.")
    titles = _checked(tx, thread, ahead.titles)
    said = plain(ahead.reason, LONGEST_REASON)
    if not said:
        raise BadInput(f"Say why the plan of {thread_id} is written anew.")
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    here = _stands_at(tx, desk, thread)
    revision = Revision((*here, *titles), actor.member.id, said)
    step = grow(tx, keys, thread, workflow, Advance(None, "", plan=revision), actor.now)
    go_to_step(tx, thread, step or thread.step, actor.now)
    actor.note(tx, "plan_written", thread_id, revision=newest + 1, steps=len(titles), version=thread.version)
    return Replanned(newest + 1, step or thread.step)


def _growing(desk: Desk, thread: Thread) -> Workflow:
    """Answer the workflow of a run whose plan can be written by hand now."""
    workflow = desk.workflows.get(thread.workflow)
    if workflow is None or not workflow.grows:
        raise BadInput(f"The plan of {thread.id} is fixed by its workflow, {thread.workflow}; nobody writes it anew.")
    refuse_ended(thread)
    if thread.lease_holder is not None:
        raise BadInput(f"{thread.id} is at work; park it first, then write its plan.")
    if "/" not in thread.step and workflow.after(thread.step) is not None:
        raise BadInput(f"{thread.id} has written no plan yet; let a worker begin it.")
    return workflow


def _stands_at(tx: Tx, desk: Desk, thread: Thread) -> tuple[str, ...]:
    """Answer the title of the row where the run stands; none where only its end is left."""
    if "/" not in thread.step:
        return ()
    keys = desk.vault.keys(thread.tenant_id, thread.id)
    here = (_plan.c.tenant_id == thread.tenant_id, _plan.c.thread_id == thread.id, _plan.c.step == thread.step)
    row = tx.conn.execute(select(_plan).where(*here)).mappings().one()
    return (title_of(keys, row),)


def _checked(tx: Tx, thread: Thread, ahead: Sequence[str]) -> list[str]:
    titles = [plain(one, LONGEST_TITLE) for one in ahead]
    if not all(titles):
        raise BadInput("A step has no title; leave empty lines out.")
    if len(set(titles)) < len(titles):
        raise BadInput("Two steps have the same title; tell them apart.")
    most = int(get_pinned(tx.conn, thread, POLICY).content["most_planned"])
    if len(titles) > most:
        raise BadInput(f"{len(titles)} steps; at most {most} may lie ahead. Write the next ones now.")
    return titles
