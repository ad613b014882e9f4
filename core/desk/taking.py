"""Take held answers back whose basis moved: they are drafts, the questions stand again, nothing of them leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Row

from core.db.store import Tx
from core.desk.desk import Actor
from core.effects.plan import void_planned
from core.review.decide import restore_each
from core.threads.repair import put_back
from core.threads.rows import get_thread


def take_back(
    tx: Tx, actor: Actor, held: Sequence[Row[Any]], why: str, moved: Callable[[Row[Any]], Sequence[str]]
) -> None:
    """Restore every question, and put a thread back that had gone on already; `moved` names what moved for each.

    `held` are rows of `list_held_answers`. A thread that stands at its question is left where it stands.
    """
    restore_each(tx, [(one, moved(one)) for one in held])
    void_planned(tx, actor.tenant_id, [one.thread_id for one in held], why)
    for one in held:
        if one.stands_at != one.step:  # it waits at the gate, which is rare
            thread = get_thread(tx.conn, actor.tenant_id, one.thread_id)
            put_back(tx, thread, one.step, actor.now, cause="undo", asks_again=True)
