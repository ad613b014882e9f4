"""The queue as a sitting walks it: one short head per question, in the order in which they should be answered.

Heads of waiting questions are opened once and remembered by (approval, version) in this process only; each look reads
which questions stand from the database first, so that nothing gone or changed is ever shown, and what no longer
stands is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, bindparam, select

from core.review.read import Approval, approvals, open_rows
from core.vault.sealing import Vault
from core.vault.subjects import read_people

Lane = Literal["invite", "look", "decline", "address", "other"]
SOON = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Head:
    """One line of the queue. `edge` is how far the total lies from the nearest band edge; None where there is none."""

    approval_id: str
    thread_id: str
    version: int
    kind: str
    lane: Lane
    name: str | None
    total: int | None
    band: str | None
    edge: int | None
    recalls: bool
    asked_at: datetime
    due_at: datetime

    @property
    def came_back(self) -> bool:
        """Say whether this question was asked or answered before."""
        return self.version > 1


@dataclass(frozen=True, slots=True)
class Held:
    """One decision that can still be undone."""

    approval_id: str
    thread_id: str
    about: str
    verdict: str
    decided_by: str
    decided_at: datetime
    release_at: datetime


_LANES: Mapping[str, Lane] = {"invite": "invite", "review": "look", "decline": "decline"}
_STANDING = select(approvals.c.id, approvals.c.version).where(
    approvals.c.tenant_id == bindparam("tenant"), approvals.c.status == "pending"
)
_ROWS = select(approvals).where(
    approvals.c.tenant_id == bindparam("tenant"), approvals.c.id.in_(bindparam("ids", expanding=True))
)
_HELD = (
    select(
        approvals.c.id,
        approvals.c.thread_id,
        approvals.c.about,
        approvals.c.verdict,
        approvals.c.decided_by,
        approvals.c.decided_at,
        approvals.c.release_at,
    )
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.status.in_(("approved", "rejected")),
        approvals.c.released_at.is_(None),
    )
    .order_by(approvals.c.decided_at.desc(), approvals.c.id)
)
_BATCH = 500


class Queue:
    """The waiting questions of one home's tenants."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._heads: dict[tuple[str, str, int], Head] = {}

    def list_heads(self, conn: Connection, tenant_id: str, now: datetime) -> list[Head]:
        """Answer what waits for a person, in the order of `rank`."""
        standing = [(tenant_id, row.id, row.version) for row in conn.execute(_STANDING, {"tenant": tenant_id})]
        missing = [name[1] for name in standing if name not in self._heads]
        for start in range(0, len(missing), _BATCH):
            self._open(conn, tenant_id, missing[start : start + _BATCH])
        self._forget(tenant_id, set(standing))
        heads = [self._heads[name] for name in standing if name in self._heads]
        return sorted(heads, key=lambda head: rank(head, now))

    def _open(self, conn: Connection, tenant_id: str, ids: Sequence[str]) -> None:
        opened = open_rows(conn, self._vault, tenant_id, conn.execute(_ROWS, {"tenant": tenant_id, "ids": ids}).all())
        keys = self._vault.keys_of(tenant_id, [one.thread_id for one in opened])
        people = read_people(conn, tenant_id, keys)
        for one in opened:
            person = people.get(one.thread_id)
            self._heads[tenant_id, one.id, one.version] = _head(one, person.name if person else None)

    def _forget(self, tenant_id: str, standing: set[tuple[str, str, int]]) -> None:
        gone = [name for name in self._heads if name[0] == tenant_id and name not in standing]
        for name in gone:
            del self._heads[name]


def list_held(conn: Connection, tenant_id: str) -> list[Held]:
    """Answer the decisions that can still be undone, the newest first."""
    return [Held(*row) for row in conn.execute(_HELD, {"tenant": tenant_id})]


def rank(head: Head, now: datetime) -> tuple[object, ...]:
    """Order never by score: due within 24 hours, then what came back, then nearest to a band edge, then oldest."""
    soon = head.due_at <= now + SOON
    return (
        not soon,
        head.due_at if soon else now,
        not head.came_back,
        head.edge if head.edge is not None else 0,
        head.asked_at,
        head.thread_id,
    )


def _head(one: Approval, name: str | None) -> Head:
    facts = one.facts
    lane: Lane = "address" if one.kind == "address" else _LANES.get(str(facts.get("proposal")), "other")
    if one.kind == "review" and facts.get("proposal") is None:
        lane = "look"
    return Head(
        approval_id=one.id,
        thread_id=one.thread_id,
        version=one.version,
        kind=one.kind,
        lane=lane,
        name=name,
        total=facts.get("total"),
        band=facts.get("band"),
        edge=facts.get("edge"),
        recalls=bool(facts.get("recall")),
        asked_at=one.asked_at,
        due_at=one.due_at,
    )
