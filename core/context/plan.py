"""A growing plan as one item: how far it is, who wrote what lies ahead and why, and the rows that are next.

What lies behind is in the summaries. Nothing here grows with the plan: rows are read by their places.
"""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from core.steps import Item
from core.threads.growing import title_of
from core.threads.rows import Thread
from core.threads.save import SUMMARY_RULE
from core.threads.tables import PlanRevision, PlanStep
from core.vault.sealing import Keys

_plan = PlanStep.__table__  # type: ignore[attr-defined]
_revisions = PlanRevision.__table__  # type: ignore[attr-defined]
PERSON = "person-"  # how the ids of people begin; a model is told that a person wrote it, not who
_HERE = (_plan.c.tenant_id == bindparam("tenant"), _plan.c.thread_id == bindparam("thread"))
_AT = select(_plan.c.position).where(*_HERE, _plan.c.step == bindparam("step")).limit(1)
_LAST = select(_plan.c.position).where(*_HERE).order_by(_plan.c.position.desc()).limit(1)
_FROM = (
    select(_plan.c.step, _plan.c.title, _plan.c.planned, _plan.c.position)
    .where(*_HERE, _plan.c.position >= bindparam("at"), _plan.c.status == "later")
    .where((_plan.c.planned.is_not(None)) | (_plan.c.position == bindparam("at")))
    .order_by(_plan.c.position)
)
_NEWEST = (
    select(_revisions)
    .where(_revisions.c.tenant_id == bindparam("tenant"), _revisions.c.thread_id == bindparam("thread"))
    .order_by(_revisions.c.n.desc())
    .limit(1)
)


def read_plan_item(conn: Connection, thread: Thread, keys: Keys, slot: str, most: int) -> Item:
    """Answer the plan as an item; its version is the number of the newest revision."""
    here = {"tenant": thread.tenant_id, "thread": thread.id}
    at = conn.execute(_AT, {**here, "step": thread.step}).scalar() or 0
    last = conn.execute(_LAST, here).scalar() or 0
    newest = conn.execute(_NEWEST, here).first()
    rows = conn.execute(_FROM.limit(most), {**here, "at": at})
    lines = [f"{at} steps are behind, {last + 1 - at} are not done."]
    if newest is not None:
        reason = keys.open(SUMMARY_RULE, "plan_revisions", f"{thread.id}#{newest.n}", newest.reason).decode()
        by = "a person" if newest.by.startswith(PERSON) else newest.by
        lines.append(f"Written by {by} as revision {newest.n}: {reason}")
    lines += [f"[{'>' if row.position == at else ' '}] {title_of(keys, row._mapping)}" for row in rows]
    return Item(slot, "plan_steps", thread.id, 0 if newest is None else newest.n, "\n".join(lines))
