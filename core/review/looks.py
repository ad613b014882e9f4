"""Second looks: a verdict of a sitting that is asked for once more, without showing the first.

Its release is held for as long as the sitting lasts: until 30 minutes after its last act, pushed on with every act,
so that nothing has to happen for it to end. Answered, or the sitting ended, its own hold counts again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, select, update

from core.db.store import Tx
from core.review.read import Approval, approvals
from core.review.sittings import IDLE, points_against, sittings, verdicts
from core.steps import Verdict

FAST_MS, FAR_POINTS, RANDOM_OF_100 = 3000, 4, 3
_STANDS = and_(
    approvals.c.tenant_id == verdicts.c.tenant_id,
    approvals.c.id == verdicts.c.approval_id,
    approvals.c.decided_at == verdicts.c.at,
    approvals.c.decided_by == verdicts.c.person_id,
    approvals.c.version <= verdicts.c.version + 1,  # one taken back and given again at the same instant is another
    approvals.c.released_at.is_(None),
    approvals.c.status.in_(("approved", "rejected")),
)
OPEN = (
    select(verdicts, approvals.c.version.label("now_version"), approvals.c.release_at)
    .join(approvals, _STANDS)
    .join(sittings, and_(sittings.c.tenant_id == verdicts.c.tenant_id, sittings.c.id == verdicts.c.sitting_id))
    .where(
        verdicts.c.tenant_id == bindparam("tenant"),
        verdicts.c.person_id == bindparam("person"),
        verdicts.c.look_why.is_not(None),
        verdicts.c.looked_at.is_(None),
        sittings.c.ended_at.is_(None),
        approvals.c.release_at > bindparam("now", type_=approvals.c.release_at.type),
    )
    .order_by(verdicts.c.n)
)


def why_again(approval: Approval, verdict: Verdict, took_ms: int | None, *, by_hand: bool = False) -> str | None:
    """Say why a verdict asks for a second look, or None. Only one that releases something does.

    `by_hand`: the person wants one. Random is 3 in 100 by a hash of the run and the question's version, so that no
    retry draws again.
    """
    chosen = [one for one in approval.choices if one.verdict == verdict and one.key is not None]
    drawn = int.from_bytes(sha256(f"{approval.thread_id}.{approval.version}".encode()).digest()[:4]) % 100
    reasons = {
        "by_hand": by_hand,
        "edited": any(one.edited_by is not None for one in chosen),
        "fast": took_ms is not None and took_ms < FAST_MS,
        "against": (points_against(approval.facts, verdict) or 0) >= FAR_POINTS,
        "random": drawn < RANDOM_OF_100,
    }
    return next((why for why, holds in reasons.items() if holds), None) if chosen else None


def list_open(conn: Connection, tenant_id: str, person_id: str, now: datetime) -> Sequence[Row[Any]]:
    """Answer a person's verdicts that wait for a second look, in the order in which they were given."""
    return conn.execute(OPEN, {"tenant": tenant_id, "person": person_id, "now": now}).all()


def hold_on(tx: Tx, open_looks: Sequence[Row[Any]], now: datetime) -> None:
    """Push the release of what waits for a second look on to where its sitting would end by itself."""
    for one in open_looks:
        _set_release(tx, one, max(one.leaves_at, now + IDLE))


def hold(tx: Tx, decided: Approval, now: datetime) -> None:
    """Hold what was just decided for as long as its sitting may last, a hold of no length included."""
    if decided.release_at is not None:
        one = {"tenant_id": decided.tenant_id, "approval_id": decided.id, "at": decided.decided_at}
        _set_release(tx, SimpleNamespace(**one), max(decided.release_at, now + IDLE))


def close(tx: Tx, one: Row[Any], now: datetime, verdict: str | None) -> datetime:
    """Write a second look's answer (None: its sitting ended); its own hold counts again. Answer when it ends."""
    tx.conn.execute(_of(one).values(looked_at=now, look_verdict=verdict))
    leaves_at: datetime = max(now, one.leaves_at)
    _set_release(tx, one, leaves_at)
    return leaves_at


def _of(one: Row[Any]) -> Any:
    return update(verdicts).where(
        verdicts.c.tenant_id == one.tenant_id, verdicts.c.sitting_id == one.sitting_id, verdicts.c.n == one.n
    )


def _set_release(tx: Tx, one: Any, at: datetime) -> None:
    tx.conn.execute(
        update(approvals)
        .where(
            approvals.c.tenant_id == one.tenant_id,
            approvals.c.id == one.approval_id,
            approvals.c.decided_at == one.at,
            approvals.c.released_at.is_(None),
        )
        .values(release_at=at)
    )
