"""The queue as a sitting walks it: one short head per question, in the order in which they should be answered.

Heads of waiting questions are opened once and remembered by (approval, version) in this process only; each look reads
which questions stand from the database first, so that nothing gone or changed is ever shown, and what no longer
stands is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, and_, bindparam, select

from core.people.tables import PersonRow
from core.review.read import Approval, approvals, open_readable
from core.threads.rows import not_tried_only, threads
from core.vault.sealing import Keys, Vault
from core.vault.subjects import find_person, read_readable_people
from core.vault.tables import SubjectFields
from core.views.of_role import is_closing

_people = PersonRow.__table__  # type: ignore[attr-defined]
_fields = SubjectFields.__table__  # type: ignore[attr-defined]
Lane = Literal["invite", "look", "decline", "address", "other", "closing"]
SOON = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Head:
    """One line of the queue. `edge` is how far the total lies from the nearest band edge; None where there is none.

    Its lane is `closing` while its role is closed, whatever is proposed.
    """

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
    """One decision that can still be undone: on whom, and by whom (their id, and `by` their name)."""

    approval_id: str
    thread_id: str
    kind: str
    verdict: str
    decided_by: str
    decided_at: datetime
    release_at: datetime
    by: str | None
    name: str | None


_LANES: Mapping[str, Lane] = {"invite": "invite", "review": "look", "decline": "decline"}
_STANDING = select(approvals.c.id, approvals.c.version, is_closing()).where(
    approvals.c.tenant_id == bindparam("tenant"),
    approvals.c.status == "pending",
    not_tried_only(approvals.c.thread_id, bindparam("tenant")),
)
_ROWS = select(approvals).where(
    approvals.c.tenant_id == bindparam("tenant"), approvals.c.id.in_(bindparam("ids", expanding=True))
)
_HELD = (
    select(
        approvals.c.id, approvals.c.thread_id, approvals.c.kind, approvals.c.verdict, approvals.c.decided_by,
        approvals.c.decided_at, approvals.c.release_at, _people.c.name, _fields.c.version, _fields.c.sealed,
    )
    .select_from(
        approvals.outerjoin(
            _people, and_(_people.c.tenant_id == approvals.c.tenant_id, _people.c.id == approvals.c.decided_by)
        ).outerjoin(
            _fields, and_(_fields.c.tenant_id == approvals.c.tenant_id, _fields.c.thread_id == approvals.c.thread_id)
        )
    )
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.status.in_(("approved", "rejected")),
        approvals.c.released_at.is_(None),
        not_tried_only(approvals.c.thread_id, bindparam("tenant")),
    )
    .order_by(approvals.c.decided_at.desc(), approvals.c.id)
)  # fmt: skip
_LAST_RELEASED = (
    select(approvals.c.thread_id, approvals.c.released_at)
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.decided_by == bindparam("person"),
        approvals.c.released_at.is_not(None),
    )
    .order_by(approvals.c.decided_at.desc())
    .limit(1)
)
_NEXT_TIMER = (
    select(threads.c.id, threads.c.wake_at, threads.c.then_what)
    .where(threads.c.tenant_id == bindparam("tenant"), threads.c.wake_at.is_not(None))
    .order_by(threads.c.wake_at, threads.c.id)
    .limit(1)
)
_BATCH = 500


class Queue:
    """The waiting questions of one home's tenants."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._heads: dict[tuple[str, str, int], Head] = {}

    def list_heads(self, conn: Connection, tenant_id: str, now: datetime) -> list[Head]:
        """Answer what waits for a person, in the order of `rank`."""
        rows = conn.execute(_STANDING, {"tenant": tenant_id}).all()
        standing = [(tenant_id, row.id, row.version) for row in rows]
        closing = {row.id for row in rows if row.is_closing}
        missing = [name[1] for name in standing if name not in self._heads]
        for start in range(0, len(missing), _BATCH):
            self._open(conn, tenant_id, missing[start : start + _BATCH])
        self._forget(tenant_id, set(standing))
        found = [self._heads[name] for name in standing if name in self._heads]
        heads = [replace(one, lane="closing") if one.approval_id in closing else one for one in found]
        return sorted(heads, key=lambda head: rank(head, now))

    def _open(self, conn: Connection, tenant_id: str, ids: Sequence[str]) -> None:
        rows = conn.execute(_ROWS, {"tenant": tenant_id, "ids": ids}).all()
        opened = open_readable(conn, self._vault, tenant_id, rows)
        keys = self._vault.keys_of(tenant_id, [one.thread_id for one in opened])
        people = read_readable_people(conn, tenant_id, keys)
        for one in opened:
            person = people.get(one.thread_id)
            self._heads[tenant_id, one.id, one.version] = _head(one, person.name if person else None)

    def _forget(self, tenant_id: str, standing: set[tuple[str, str, int]]) -> None:
        gone = [name for name in self._heads if name[0] == tenant_id and name not in standing]
        for name in gone:
            del self._heads[name]


def list_held(conn: Connection, vault: Vault, tenant_id: str) -> list[Held]:
    """Answer the decisions that can still be undone, the newest first."""
    rows = conn.execute(_HELD, {"tenant": tenant_id}).all()
    keys = vault.keys_of(tenant_id, list({row.thread_id for row in rows}))
    return [Held(*row[:8], name=_name(keys.get(row.thread_id), row.version, row.sealed)) for row in rows]


def _name(keys: Keys | None, version: int, sealed: bytes | None) -> str | None:
    person = find_person(keys, version, sealed)
    return None if person is None else person.name


def find_last_released(conn: Connection, tenant_id: str, person_id: str) -> tuple[str, datetime] | None:
    """Answer the thread of the newest answer a person gave that was released, and when it was."""
    row = conn.execute(_LAST_RELEASED, {"tenant": tenant_id, "person": person_id}).first()
    return None if row is None else (row.thread_id, row.released_at)


def find_next_timer(conn: Connection, tenant_id: str) -> tuple[str, datetime, str | None] | None:
    """Answer what happens next by itself in a tenant: which thread, when, and what."""
    row = conn.execute(_NEXT_TIMER, {"tenant": tenant_id}).first()
    return None if row is None else (row.id, row.wake_at, row.then_what)


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
