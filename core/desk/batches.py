"""Answer several questions at once: each in a transaction of its own, with its own result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from core.db.store import Tx
from core.desk.decisions import Answer
from core.desk.desk import Actor, Desk
from core.desk.sittings import Look, decide_in_sitting
from core.errors import AlreadyDecided, BadInput, DaybookError, Refused, StaleVersion
from core.people.people import check_may_decide
from core.review.batch import Marked, check_alike
from core.review.read import Approval, approvals, list_approvals
from core.steps import Verdict

Became = Literal["done", "stale", "failed"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one question of a batch; `sentence` says why it was skipped or failed."""

    approval_id: str
    became: Became
    sentence: str | None = None


def read_batch(conn: Connection, desk: Desk, actor: Actor, marked: Sequence[Marked]) -> list[Approval]:
    """Answer the marked questions that stand as they were seen, in the order in which they were marked."""
    where = approvals.c.id.in_([one.approval_id for one in marked])
    found = {one.id: one for one in list_approvals(conn, desk.vault, actor.tenant_id, where)}
    return [
        found[one.approval_id]
        for one in marked
        if one.approval_id in found and _stands(found[one.approval_id], one.seen_version)
    ]


def _stands(approval: Approval, seen_version: int) -> bool:
    return approval.status == "pending" and approval.version == seen_version


def decide_batch(
    read: Callable[[], AbstractContextManager[Connection]], write: Callable[[Callable[[Tx], Approval]], Approval],
    desk: Desk, actor: Actor, marked: Sequence[Marked], answer: tuple[Verdict, str | None],
) -> list[Result]:  # fmt: skip
    """Give one verdict with one reason to all that are marked. One stale row rolls back nothing.

    Raises BadInput where they may not be answered together; nothing is then changed.
    """
    check_may_decide(actor.member)
    verdict, reason = answer
    with read() as conn:
        standing = read_batch(conn, desk, actor, marked)
    stands = {one.id for one in standing}
    check_alike(standing, [one for one in marked if one.approval_id in stands] or marked, verdict)
    return [_decide(write, desk, actor, one, Answer(verdict, one.seen_version, reason=reason)) for one in marked]


def _decide(
    write: Callable[[Callable[[Tx], Approval]], Approval], desk: Desk, actor: Actor, one: Marked, answer: Answer
) -> Result:
    try:
        write(lambda tx: decide_in_sitting(tx, desk, actor, one.approval_id, answer, Look(None)))
    except (AlreadyDecided, StaleVersion) as moved:
        return Result(one.approval_id, "stale", moved.sentence)
    except (Refused, DaybookError) as failed:
        return Result(one.approval_id, "failed", failed.sentence)
    return Result(one.approval_id, "done")


__all__ = ["BadInput", "Marked", "Result", "decide_batch", "read_batch"]
