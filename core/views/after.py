"""What a run did outside after a point of its history, and what a fork from there does about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, select

from core.effects.plan import Entry, list_entries
from core.review.copy import first_that_let_out
from core.threads.rows import Thread
from core.threads.tables import CheckpointRow
from core.views.asked import AskedLine, list_asked

_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]
Mark = Literal["reuse", "again", "settle", "nothing"]


@dataclass(frozen=True, slots=True)
class EffectAfter:
    """One effect after the point.

    `reuse`: what it read is taken over. `again`: it would be sent again, under a new key and with a new approval.
    `settle`: nobody knows whether it left; that is settled first. `nothing`: it never left.
    """

    entry: Entry
    mark: Mark


@dataclass(frozen=True, slots=True)
class After:
    """What a fork at a checkpoint meets: the checkpoint whose state it begins with, and the step where it stands.

    `begins_at` is an earlier one than was asked for where an answer before that let something out: the fork asks that
    anew. `void` are the answers after the point, which count for nothing there.
    """

    asked_for: int
    begins_at: int
    step: str
    effects: Sequence[EffectAfter]
    void: Sequence[AskedLine]

    @property
    def is_unsettled(self) -> bool:
        """Say whether an effect after the point is to be settled first."""
        return any(one.mark == "settle" for one in self.effects)


def read_after(conn: Connection, thread: Thread, at: int, *, asks_anew: bool = True) -> After | None:
    """Answer what lies after a checkpoint; None where there is no such checkpoint.

    Without `asks_anew` what an answer before the point let out stands in the fork as it does here: its run works on a
    copy in which that was done.
    """
    let_out = first_that_let_out(conn, thread.tenant_id, thread.id, at) if asks_anew else None
    begins_at = at if let_out is None else let_out - 1
    stands = {
        row.number: row
        for row in conn.execute(
            select(_checkpoints.c.number, _checkpoints.c.next_step, _checkpoints.c.at).where(
                _checkpoints.c.tenant_id == thread.tenant_id, _checkpoints.c.thread_id == thread.id,
                _checkpoints.c.number.in_([at, begins_at]),
            )
        )
    }  # fmt: skip
    if at not in stands or begins_at not in stands:
        return None
    here = stands[begins_at]
    entries = list_entries(conn, thread.tenant_id, thread.id)
    effects = [EffectAfter(one, _mark(one)) for one in entries if _is_after(one, begins_at, here.at)]
    void = [one for one in list_asked(conn, thread) if _is_void(one, begins_at)]
    return After(at, begins_at, here.next_step, effects, void)


def _is_after(entry: Entry, number: int, at: datetime) -> bool:
    """Say whether an effect was planned after a checkpoint; by the time, where its own checkpoint was not kept."""
    return entry.planned_at >= at if entry.checkpoint is None else entry.checkpoint >= number


def _mark(entry: Entry) -> Mark:
    if entry.status in ("sending", "unknown"):
        return "settle"
    if entry.status != "done":
        return "nothing"
    return "reuse" if entry.kind == "read" else "again"


def _is_void(one: AskedLine, number: int) -> bool:
    return one.decided_at is not None and (one.consumed_by is None or one.consumed_by > number)
