"""Plans that grow: rows are written ahead as the thread goes on, each revision by somebody and for a reason.

Rows behind never move. A row ahead that a revision no longer names is skipped and stands before what is next, so that
what is settled lies behind the thread's step, and what is not lies ahead of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from core.db.store import Tx
from core.steps import Advance, Revision, Tried, Workflow
from core.threads.rows import Thread
from core.threads.save import SUMMARY_RULE
from core.threads.tables import AttemptRow, PlanRevision, PlanStep
from core.vault.sealing import Keys

_plan = PlanStep.__table__  # type: ignore[attr-defined]
_revisions = PlanRevision.__table__  # type: ignore[attr-defined]
_attempts = AttemptRow.__table__  # type: ignore[attr-defined]
PLANNED_AS = "plan_steps.planned"
_HERE = (_plan.c.tenant_id == bindparam("tenant"), _plan.c.thread_id == bindparam("thread"))
_POSITION = select(_plan.c.position).where(*_HERE, _plan.c.step == bindparam("step")).scalar_subquery()
_NEXT = (
    select(_plan.c.step)
    .where(*_HERE, _plan.c.status == "later", _plan.c.position > _POSITION)
    .order_by(_plan.c.position)
    .limit(1)
)
_AHEAD = (
    select(_plan).where(*_HERE, _plan.c.status == "later", _plan.c.position >= _POSITION).order_by(_plan.c.position)
)


def grow(tx: Tx, keys: Keys, thread: Thread, workflow: Workflow, outcome: Advance, now: datetime) -> str | None:
    """Write a step's revision, if it made one, and answer the row of the plan that is next; None at the plan's end."""
    if outcome.plan is not None:
        return _revise(tx, keys, thread, workflow, outcome.plan, now)
    if outcome.to is not None:
        return outcome.to
    values = {"tenant": thread.tenant_id, "thread": thread.id, "step": thread.step}
    found: str | None = tx.conn.execute(_NEXT, values).scalar()
    return found


def list_ahead(tx: Tx, thread: Thread) -> tuple[str, ...]:
    """Answer the rows that lie ahead of the one a thread stands at."""
    values = {"tenant": thread.tenant_id, "thread": thread.id, "step": thread.step}
    return tuple(row.step for row in tx.conn.execute(_AHEAD, values) if row.step != thread.step)


def _revise(tx: Tx, keys: Keys, thread: Thread, workflow: Workflow, revision: Revision, now: datetime) -> str | None:
    values = {"tenant": thread.tenant_id, "thread": thread.id, "step": thread.step}
    rows = [dict(row._mapping) for row in tx.conn.execute(_AHEAD, values)]
    passes = workflow.after(thread.step) is not None and "/" not in thread.step
    if passes:  # a fixed step with others behind it is done by writing the plan
        rows = rows[1:]
    growing = [row for row in rows if "/" in row["step"]]
    fixed = [row for row in rows if "/" not in row["step"]]
    newest, numbered_to = _newest(tx.conn, thread)
    n = newest + 1
    ahead, number = [], numbered_to
    left = {title_of(keys, row): row for row in growing}
    for title in revision.ahead:
        known = left.pop(title, None)
        if known is None:
            number += 1
            known = _row(keys, workflow, number, title, n)
        ahead.append(known)
    dropped = [{**row, "status": "skipped", "done_at": now} for row in left.values()]
    _write(tx, thread, [*dropped, *ahead, *fixed], rows[0]["position"])
    added = number - numbered_to
    row = {"n": n, "step": thread.step, "by": revision.by, "added_count": added, "dropped_count": len(dropped)}
    reason = keys.seal(SUMMARY_RULE, "plan_revisions", f"{thread.id}#{n}", revision.reason.encode())
    whose = {"tenant_id": thread.tenant_id, "thread_id": thread.id}
    tx.conn.execute(insert(_revisions), {**whose, **row, "reason": reason, "numbered_to": number, "at": now})
    following = [*ahead, *fixed]
    return following[0]["step"] if following else None


def count_revisions(conn: Connection, thread: Thread) -> int:
    """Answer the number of the newest revision of a thread's plan; 0 where there is none."""
    return _newest(conn, thread)[0]


def _newest(conn: Connection, thread: Thread) -> tuple[int, int]:
    """Answer the number of the newest revision, and the highest number that a row ever had."""
    here = (_revisions.c.tenant_id == thread.tenant_id, _revisions.c.thread_id == thread.id)
    counted = select(func.coalesce(func.max(_revisions.c.n), 0), func.coalesce(func.max(_revisions.c.numbered_to), 0))
    n, numbered_to = conn.execute(counted.where(*here)).one()
    return n, numbered_to


def _row(keys: Keys, workflow: Workflow, number: int, title: str, revision: int) -> dict[str, Any]:
    step = next(one for one in workflow.steps if one.repeats)
    name = f"{step.name}/{number}"
    return {
        "step": name, "title": f"{step.title} {number}", "status": "later", "summary": None, "receipts": None,
        "done_at": None, "revision": revision,
        "planned": keys.seal(SUMMARY_RULE, PLANNED_AS, f"{keys.thread_id}#{name}", title.encode()),
    }  # fmt: skip


def title_of(keys: Keys | None, row: Any) -> str:
    """Answer a row's title: in the words of whoever planned it, or the workflow's own."""
    sealed = row["planned"]
    if sealed is None or keys is None:
        return str(row["title"])
    return keys.open(SUMMARY_RULE, PLANNED_AS, f"{keys.thread_id}#{row['step']}", sealed).decode()


def _write(tx: Tx, thread: Thread, rows: Sequence[dict[str, Any]], start: int) -> None:
    here = (_plan.c.tenant_id == thread.tenant_id, _plan.c.thread_id == thread.id, _plan.c.position >= start)
    tx.conn.execute(delete(_plan).where(*here))
    whose = {"tenant_id": thread.tenant_id, "thread_id": thread.id}
    tx.conn.execute(insert(_plan), [{**row, **whose, "position": start + at} for at, row in enumerate(rows)])


def write_tried(tx: Tx, keys: Keys, thread: Thread, tried: Tried, now: datetime) -> None:
    """Write a try that came to nothing though its step settled."""
    place = f"{thread.id}#{thread.lease_no}"
    tx.conn.execute(
        insert(_attempts).values(
            tenant_id=thread.tenant_id,
            thread_id=thread.id,
            step=thread.step,
            checkpoint=thread.checkpoint,
            lease_no=thread.lease_no,
            result="error",
            code=tried.code,
            frame=keys.seal(SUMMARY_RULE, "attempts", place, tried.said.encode()),
            worker_id=thread.lease_holder,
            at=now,
        )
    )
