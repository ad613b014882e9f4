"""Copy a thread's plan as far as it had come, for a thread that is forked from it."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update

from core.db.store import Tx
from core.threads.growing import PLANNED_AS
from core.threads.rows import threads
from core.threads.save import SUMMARY_RULE
from core.threads.tables import PlanRevision, PlanStep
from core.vault.sealing import Keys

_plan = PlanStep.__table__  # type: ignore[attr-defined]
_revisions = PlanRevision.__table__  # type: ignore[attr-defined]


def next_fork_id(conn: Connection, tenant_id: str, thread_id: str) -> str:
    """Name the next fork of a thread: `role-14/app-0093.fork-1`."""
    known = conn.execute(
        select(threads.c.id).where(threads.c.tenant_id == tenant_id, threads.c.forked_from == thread_id)
    ).scalars()
    return f"{thread_id}.fork-{len(list(known)) + 1}"


def copy_plan(tx: Tx, source: Keys, keys: Keys, begins_at: str, refs: Mapping[str, str]) -> None:
    """Write what the steps before `begins_at` left in the source's plan into the fork's; `refs` renames receipts."""
    rows = tx.conn.execute(
        select(_plan)
        .where(_plan.c.tenant_id == source.tenant_id, _plan.c.thread_id == source.thread_id)
        .order_by(_plan.c.position)
    ).all()
    for row in rows:
        if row.step == begins_at:
            break
        line = None if row.summary is None else _resealed(source, keys, row.step, row.summary)
        tx.conn.execute(
            update(_plan)
            .where(_plan.c.tenant_id == keys.tenant_id, _plan.c.thread_id == keys.thread_id, _plan.c.step == row.step)
            .values(
                status="skipped" if row.status in ("later", "stopped") else row.status,
                summary=line,
                receipts=[refs.get(ref, ref) for ref in row.receipts or ()] or None,
                done_at=row.done_at,
            )
        )


def copy_grown_plan(tx: Tx, source: Keys, keys: Keys, refs: Mapping[str, str]) -> None:
    """Write a plan that grew, as it stands, and who revised it why, as the fork's; `refs` renames receipts."""
    here = {"tenant_id": keys.tenant_id, "thread_id": keys.thread_id}
    tx.conn.execute(delete(_plan).where(*_of(_plan, keys)))
    rows = [
        {
            **row, **here,
            "summary": row["summary"] and _resealed(source, keys, row["step"], row["summary"]),
            "planned": row["planned"] and _resealed(source, keys, row["step"], row["planned"], PLANNED_AS),
            "receipts": [refs.get(ref, ref) for ref in row["receipts"] or ()] or None,
        }
        for row in tx.conn.execute(select(_plan).where(*_of(_plan, source))).mappings()
    ]  # fmt: skip
    tx.conn.execute(insert(_plan), rows)
    revisions = [
        {**row, **here, "reason": _resealed(source, keys, str(row["n"]), row["reason"], "plan_revisions")}
        for row in tx.conn.execute(select(_revisions).where(*_of(_revisions, source))).mappings()
    ]
    if revisions:
        tx.conn.execute(insert(_revisions), revisions)


def _of(table: Table, keys: Keys) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return table.c.tenant_id == keys.tenant_id, table.c.thread_id == keys.thread_id


def _resealed(source: Keys, keys: Keys, place: str, sealed: bytes, kept_as: str = "plan_steps") -> bytes:
    content = source.open(SUMMARY_RULE, kept_as, f"{source.thread_id}#{place}", sealed)
    return keys.seal(SUMMARY_RULE, kept_as, f"{keys.thread_id}#{place}", content)
