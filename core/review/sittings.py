"""Sittings: one stretch in which a reviewer works through the queue, and the verdicts given in it.

Reading opens none: the first act does. Thirty idle minutes of the tenant's time end one, whether a row says so yet or
not; the person's next act writes that down and opens another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update

from core.db.store import Tx
from core.db.upsert import Upsert
from core.errors import NotFound
from core.keys import random_id
from core.review.read import Approval
from core.review.tables import SittingRow, SittingVerdict, SnoozeRow
from core.steps import Json, Verdict

sittings = SittingRow.__table__  # type: ignore[attr-defined]
verdicts = SittingVerdict.__table__  # type: ignore[attr-defined]
_snoozes = SnoozeRow.__table__  # type: ignore[attr-defined]
IDLE = timedelta(minutes=30)
_AGAINST: Mapping[str, Verdict] = {"invite": "reject", "decline": "approve"}
_OPEN = select(sittings).where(
    sittings.c.tenant_id == bindparam("tenant"),
    sittings.c.person_id == bindparam("person"),
    sittings.c.ended_at.is_(None),
)
_NEXT = select(func.coalesce(func.max(verdicts.c.n), 0) + 1).where(
    verdicts.c.tenant_id == bindparam("tenant"), verdicts.c.sitting_id == bindparam("sitting")
)


@dataclass(frozen=True, slots=True)
class SittingAnswer:
    """One verdict as the page knew it; `took_ms` is how long its question had been on screen, None
    in a batch."""

    person_id: str
    approval_id: str
    thread_id: str
    version: int
    verdict: str
    at: datetime
    took_ms: int | None
    is_against: bool
    is_edited: bool
    look_why: str | None = None
    leaves_at: datetime | None = None


def sit(tx: Tx, tenant_id: str, person_id: str, now: datetime) -> str:
    """Answer the sitting that a person acts in now, opening one where none is."""
    found = tx.conn.execute(_OPEN, {"tenant": tenant_id, "person": person_id}).first()
    if found is not None and now < found.seen_at + IDLE:
        tx.conn.execute(_here(tenant_id, found.id).values(seen_at=max(now, found.seen_at)))
        return str(found.id)
    if found is not None:
        _end(tx, found, found.seen_at + IDLE, "idle")
    row = {"tenant_id": tenant_id, "id": random_id("sit"), "person_id": person_id, "opened_at": now, "seen_at": now}
    tx.conn.execute(insert(sittings).values(row))
    return str(row["id"])


def end(tx: Tx, tenant_id: str, person_id: str, now: datetime) -> str:
    """End the sitting that a person is in and answer its id; raises NotFound where there is none."""
    found = tx.conn.execute(_OPEN, {"tenant": tenant_id, "person": person_id}).first()
    if found is None:
        raise NotFound("No sitting of yours is open; the first verdict opens one.")
    idle_at = found.seen_at + IDLE
    _end(tx, found, min(now, idle_at), "by hand" if now < idle_at else "idle")
    return str(found.id)


def _end(tx: Tx, found: Row[Any], at: datetime, why: str) -> None:
    tx.conn.execute(_here(found.tenant_id, found.id).values(ended_at=at, ended_why=why))


def _here(tenant_id: str, sitting_id: str) -> Any:
    return update(sittings).where(sittings.c.tenant_id == tenant_id, sittings.c.id == sitting_id)


def add_verdict(tx: Tx, tenant_id: str, sitting_id: str, given: SittingAnswer) -> int:
    """Write a verdict down as one of a sitting, and answer its number."""
    n = tx.conn.execute(_NEXT, {"tenant": tenant_id, "sitting": sitting_id}).scalar_one()
    tx.conn.execute(insert(verdicts).values(tenant_id=tenant_id, sitting_id=sitting_id, n=n, **asdict(given)))
    return int(n)


_PUT_ASIDE = Upsert(_snoozes, ("tenant_id", "approval_id", "person_id"), ("thread_id", "snoozed_at", "until_at"))


def put_aside(tx: Tx, approval: Approval, person_id: str, until: datetime, now: datetime) -> None:
    """Put a question aside for one person until a time; the last word counts."""
    row = {
        "tenant_id": approval.tenant_id, "approval_id": approval.id, "person_id": person_id,
        "thread_id": approval.thread_id, "snoozed_at": now, "until_at": until,
    }  # fmt: skip
    _PUT_ASIDE.run(tx.conn, [row])


def points_against(facts: Mapping[str, Json], verdict: Verdict) -> int | None:
    """Answer how many points a total would have to change for what it proposes to be this verdict.

    None where it proposes nothing else, or proposes it for a rule and not for the total.
    """
    is_by_rule = any(rule["answer"] == "no" for rule in facts.get("rules") or ())
    edge = facts.get("edge")
    if is_by_rule or edge is None or _AGAINST.get(str(facts.get("proposal"))) != verdict:
        return None
    return int(edge) + 1


def is_against(approval: Approval, verdict: Verdict, total: int | None) -> bool:
    """Say whether a verdict goes against the total, or changes it."""
    changed = total is not None and total != approval.facts.get("total")
    return changed or points_against(approval.facts, verdict) is not None
