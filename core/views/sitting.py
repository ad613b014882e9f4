"""The queue as a sitting walks it: one short head per question, in the order in which they should be answered.

Heads of waiting questions are opened once and remembered by (approval, version) in this process only; each look reads
which questions stand from the database first, so that nothing gone or changed is ever shown, and what no longer
stands is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, and_, bindparam, select

from core.people.people import Member
from core.people.tables import PersonRow
from core.review.batch import failed_rules
from core.review.looks import OPEN
from core.review.read import Approval, approvals, open_readable
from core.review.sittings import verdicts
from core.review.tables import SnoozeRow
from core.threads.rows import not_tried_only, threads
from core.vault.sealing import Keys, Vault
from core.vault.subjects import find_person, read_readable_people
from core.vault.tables import SubjectFields
from core.views.of_role import is_closing

_people = PersonRow.__table__  # type: ignore[attr-defined]
_fields = SubjectFields.__table__  # type: ignore[attr-defined]
_snoozes = SnoozeRow.__table__  # type: ignore[attr-defined]
Lane = Literal["invite", "look", "decline", "address", "other", "closing", "snoozed"]
SOON = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Head:
    """One line of the queue. `edge` is how far the total lies from the nearest band edge; None where there is none.

    Its lane is `closing` while its role is closed, whatever is proposed, and `snoozed` until `until_at` for whoever put
    it aside.
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
    until_at: datetime | None = None
    fails_rule: bool = False

    @property
    def came_back(self) -> bool:
        """Say whether this question was asked or answered before."""
        return self.version > 1


@dataclass(frozen=True, slots=True)
class Held:
    """One decision, still held or released: on whom, and by whom (their id, and `by` their name)."""

    approval_id: str
    thread_id: str
    kind: str
    verdict: str
    decided_by: str
    decided_at: datetime
    release_at: datetime
    released_at: datetime | None
    by: str | None
    name: str | None


_LANES: Mapping[str, Lane] = {"invite": "invite", "review": "look", "decline": "decline"}
_ASIDE = (
    select(_snoozes.c.until_at)
    .where(
        _snoozes.c.tenant_id == approvals.c.tenant_id,
        _snoozes.c.approval_id == approvals.c.id,
        _snoozes.c.person_id == bindparam("person"),
        _snoozes.c.until_at > bindparam("now", type_=_snoozes.c.until_at.type),
    )
    .correlate(approvals)
    .scalar_subquery()
)
_STANDING = select(approvals.c.id, approvals.c.version, is_closing(), _ASIDE.label("until_at")).where(
    approvals.c.tenant_id == bindparam("tenant"),
    approvals.c.status == "pending",
    not_tried_only(approvals.c.thread_id, bindparam("tenant")),
)
_ROWS = select(approvals).where(
    approvals.c.tenant_id == bindparam("tenant"), approvals.c.id.in_(bindparam("ids", expanding=True))
)
_DECIDED = (
    select(
        approvals.c.id, approvals.c.thread_id, approvals.c.kind, approvals.c.verdict, approvals.c.decided_by,
        approvals.c.decided_at, approvals.c.release_at, approvals.c.released_at, _people.c.name,
        _fields.c.version, _fields.c.sealed,
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
        not_tried_only(approvals.c.thread_id, bindparam("tenant")),
    )
    .order_by(approvals.c.decided_at.desc(), approvals.c.id)
)  # fmt: skip
_HELD = _DECIDED.where(approvals.c.released_at.is_(None))
_SINCE = bindparam("since", type_=approvals.c.decided_at.type)
_LATELY = _DECIDED.where((approvals.c.decided_at >= _SINCE) | approvals.c.released_at.is_(None)).limit(500)
_AGAIN = _HELD.where(approvals.c.id.in_(OPEN.with_only_columns(verdicts.c.approval_id).order_by(None).correlate(None)))
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

    def list_heads(self, conn: Connection, member: Member, now: datetime) -> list[Head]:
        """Answer what waits for a person, in the order of `rank`; what they put aside is last."""
        tenant_id = member.tenant_id
        rows = conn.execute(_STANDING, {"tenant": tenant_id, "person": member.id, "now": now}).all()
        standing = [(tenant_id, row.id, row.version) for row in rows]
        elsewhere: dict[str, tuple[Lane, datetime | None]] = {
            row.id: ("snoozed" if row.until_at else "closing", row.until_at)
            for row in rows
            if row.is_closing or row.until_at
        }
        missing = [name[1] for name in standing if name not in self._heads]
        for start in range(0, len(missing), _BATCH):
            self._open(conn, tenant_id, missing[start : start + _BATCH])
        self._forget(tenant_id, set(standing))
        found = [self._heads[name] for name in standing if name in self._heads]
        heads = [_placed(one, *elsewhere[one.approval_id]) if one.approval_id in elsewhere else one for one in found]
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


def _placed(head: Head, lane: Lane, until_at: datetime | None) -> Head:
    return replace(head, lane=lane, until_at=until_at)


def list_held(conn: Connection, vault: Vault, tenant_id: str) -> list[Held]:
    """Answer the decisions that can still be undone, the newest first."""
    return _named(vault, tenant_id, conn.execute(_HELD, {"tenant": tenant_id}).all())


def list_decided(conn: Connection, vault: Vault, tenant_id: str, since: datetime) -> list[Held]:
    """Answer what was decided since a time or is still held, the newest 500."""
    return _named(vault, tenant_id, conn.execute(_LATELY, {"tenant": tenant_id, "since": since}).all())


def list_again(conn: Connection, vault: Vault, member: Member, now: datetime) -> list[Held]:
    """Answer a person's verdicts that wait for their second look."""
    given = {"tenant": member.tenant_id, "person": member.id, "now": now}
    return _named(vault, member.tenant_id, conn.execute(_AGAIN, given).all())


def _named(vault: Vault, tenant_id: str, rows: Sequence[Any]) -> list[Held]:
    keys = vault.keys_of(tenant_id, list({row.thread_id for row in rows}))
    return [_held_of(row, _name(keys.get(row.thread_id), row.version, row.sealed)) for row in rows]


def _held_of(row: Any, name: str | None) -> Held:
    values: list[Any] = [*row[:9], name]
    return Held(*values)


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
        head.until_at is not None,
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
        fails_rule=bool(failed_rules(facts)),
    )
