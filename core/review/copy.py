"""Answers that a fork takes along: those that released nothing. One that let something out is asked anew there."""

from __future__ import annotations

from sqlalchemy import Connection, and_, exists, func, insert, select

from core.db.store import Tx
from core.keys import random_id
from core.review.read import QUESTION_RULE, approvals, options
from core.vault.sealing import Keys

_ANSWERED = approvals.c.status.in_(("approved", "rejected"))
_LETS_OUT = (
    exists()
    .where(
        options.c.tenant_id == approvals.c.tenant_id,
        options.c.approval_id == approvals.c.id,
        options.c.verdict == approvals.c.verdict,
        options.c.effect_key.is_not(None),
    )
    .correlate(approvals)
)


def first_that_let_out(conn: Connection, tenant_id: str, thread_id: str, until: int) -> int | None:
    """Answer the checkpoint, up to `until`, that took the first answer which releases something; None for none."""
    taken = and_(approvals.c.consumed_by.is_not(None), approvals.c.consumed_by <= until)
    mine = (approvals.c.tenant_id == tenant_id, approvals.c.thread_id == thread_id)
    found = select(func.min(approvals.c.consumed_by)).where(*mine, _ANSWERED, taken, _LETS_OUT)
    number: int | None = conn.execute(found).scalar_one()
    return number


def copy_answers(tx: Tx, source: Keys, keys: Keys, until: int) -> int:
    """Write the answers that released nothing and were taken up to a checkpoint, under ids of their own; how many."""
    rows = tx.conn.execute(
        select(approvals).where(
            approvals.c.tenant_id == source.tenant_id, approvals.c.thread_id == source.thread_id, _ANSWERED, ~_LETS_OUT,
            approvals.c.consumed_by <= until,
        )
    ).mappings().all()  # fmt: skip
    for row in rows:
        new_id = random_id("apr")
        question = source.open(QUESTION_RULE, "approvals", row["id"], row["question"])
        copied = {
            **row, "id": new_id, "thread_id": keys.thread_id, "consumed_by": 0,
            "question": keys.seal(QUESTION_RULE, "approvals", new_id, question), "came_back": None,
        }  # fmt: skip
        if row["remark"] is not None:
            remark = source.open(QUESTION_RULE, "approvals.remark", row["id"], row["remark"])
            copied["remark"] = keys.seal(QUESTION_RULE, "approvals.remark", new_id, remark)
        tx.conn.execute(insert(approvals).values(**copied))
        nothing = dict.fromkeys(("effect_key", "kind", "only_if", "payload", "payload_hash"))
        option = {"tenant_id": keys.tenant_id, "approval_id": new_id, "verdict": row["verdict"], "position": 0}
        tx.conn.execute(insert(options).values(**option, **nothing))
    return len(rows)
