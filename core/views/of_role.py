"""Which threads of a role are undecided, which answers are held, what waits: the rows that a role's changes touch.

A thread is decided once an answer that rests on the rubric was released; it keeps that version for good. Whatever else
a role says reaches a decided thread too while a question stands in it that rests on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Label, Row, Select, String, and_, exists, func, select, type_coerce

from core.catalog.roles import get_role
from core.catalog.tables import RoleRow
from core.effects.role_closing import count_ahead, list_ahead
from core.review.read import approvals, options
from core.threads.rows import threads
from core.threads.tables import ENDED

roles = RoleRow.__table__  # type: ignore[attr-defined]
_ANSWERED = ("approved", "rejected")
_DECIDED_BY = "rubric"
Which = list[ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a role's threads stand towards another version of a kind: so many go by it, `held` of them are answered.

    Of those that go by it, `asked` have a question that stands; it is asked anew.
    """

    undecided: int
    asked: int
    held: int
    kept: int


@dataclass(frozen=True, slots=True)
class Closing:
    """What closing a role does: `undecided` go to their lane, `held` ask again, `reminders` are void.

    `bookings` wait on, the last until `last_until_at`; `ended` stay as they are.
    """

    undecided: int
    held: int
    reminders: int
    bookings: int
    last_until_at: datetime | None
    ended: int


def of_role(tenant_id: str, role_id: str) -> Which:
    """Select a role's threads, but for what is only tried."""
    return [threads.c.tenant_id == tenant_id, threads.c.role_id == role_id, ~threads.c.is_sandbox]


def undecided(tenant_id: str, role_id: str) -> Which:
    """Select those that go on and of which no answer that rests on the rubric was released."""
    released = _has(_DECIDED_BY, approvals.c.status.in_(_ANSWERED), approvals.c.released_at.is_not(None))
    return [*of_role(tenant_id, role_id), threads.c.status.not_in(ENDED), ~released]


def reached_by(tenant_id: str, role_id: str, kind: str) -> Which:
    """Select those that another version of a kind reaches."""
    if kind == _DECIDED_BY:
        return undecided(tenant_id, role_id)
    *going, not_decided = undecided(tenant_id, role_id)
    open_ = approvals.c.status == "pending"
    held = approvals.c.status.in_(_ANSWERED) & approvals.c.released_at.is_(None)
    return [*going, not_decided | _has(kind, open_ | held)]


def _has(kind: str, *which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Say of a thread's row whether it has such an approval that rests on a kind."""
    mine = (approvals.c.tenant_id == threads.c.tenant_id, approvals.c.thread_id == threads.c.id)
    rests_on = type_coerce(approvals.c.basis, String).like(f'%"{kind}":%')
    return exists().where(*mine, *which, rests_on).correlate(threads)


def is_closing() -> Label[bool]:
    """Say of an approval's row whether its role is closed, so that it waits for its end."""
    mine = and_(threads.c.tenant_id == approvals.c.tenant_id, threads.c.id == approvals.c.thread_id)
    role = and_(roles.c.tenant_id == threads.c.tenant_id, roles.c.id == threads.c.role_id, roles.c.status != "open")
    return exists().where(mine, role).correlate(approvals).label("is_closing")


def waiting_outside(tenant_id: str, role_id: str) -> Which:
    """Select those that wait for an event, such as a booking."""
    return [*of_role(tenant_id, role_id), threads.c.status == "waiting", threads.c.waits_for == "event"]


def acts_before_its_end(tenant_id: str, role_id: str) -> Which:
    """Select those that wait for an event and let something out before the wait ends, such as a reminder."""
    acts = [*waiting_outside(tenant_id, role_id), threads.c.wake_at < threads.c.until_at]
    ahead = list_ahead(tenant_id, ids_of(acts)).with_only_columns(approvals.c.thread_id)
    return [*acts, threads.c.id.in_(ahead)]


def ids_of(which: Which) -> Select[tuple[str]]:
    """Select the ids of these threads."""
    return select(threads.c.id).where(*which)


def list_held_answers(conn: Connection, tenant_id: str, which: Which) -> list[Row[Any]]:
    """Answer the rows of these threads' held answers that would release something, and where their thread stands."""
    releases = exists().where(
        options.c.tenant_id == approvals.c.tenant_id,
        options.c.approval_id == approvals.c.id,
        options.c.verdict == approvals.c.verdict,
        options.c.effect_key.is_not(None),
    )
    there = and_(threads.c.tenant_id == approvals.c.tenant_id, threads.c.id == approvals.c.thread_id)
    query = (
        select(
            approvals.c.tenant_id, approvals.c.id, approvals.c.thread_id, approvals.c.step, approvals.c.verdict,
            approvals.c.decided_by, approvals.c.decided_at, approvals.c.came_back, approvals.c.basis,
            threads.c.step.label("stands_at"),
        )
        .select_from(approvals.join(threads, there))
        .where(
            approvals.c.tenant_id == tenant_id, *which, threads.c.status.not_in(ENDED),
            approvals.c.status.in_(_ANSWERED), approvals.c.released_at.is_(None), releases,
        )
        .order_by(approvals.c.thread_id)
    )  # fmt: skip
    return list(conn.execute(query))


def list_held_on(conn: Connection, tenant_id: str, role_id: str, kind: str) -> list[Row[Any]]:
    """Answer the held answers that rest on a kind, in the threads that another version of it reaches."""
    held = list_held_answers(conn, tenant_id, reached_by(tenant_id, role_id, kind))
    return [one for one in held if kind in one.basis]


def count_standing(conn: Connection, tenant_id: str, role_id: str, kind: str) -> Standing:
    """Count how a role's threads stand towards a kind; raises NotFound."""
    get_role(conn, tenant_id, role_id)
    reached = reached_by(tenant_id, role_id, kind)
    going, every = (_count(conn, which) for which in (reached, of_role(tenant_id, role_id)))
    asked = _count(conn, [*reached, _has(kind, approvals.c.status == "pending")])
    return Standing(going, asked, len(list_held_on(conn, tenant_id, role_id, kind)), every - going)


def preview_closing(conn: Connection, tenant_id: str, role_id: str) -> Closing:
    """Count what closing a role would do; raises NotFound."""
    get_role(conn, tenant_id, role_id)
    waiting = waiting_outside(tenant_id, role_id)
    last = conn.execute(select(func.max(threads.c.until_at)).where(*waiting)).scalar_one()
    return Closing(
        undecided=_count(conn, undecided(tenant_id, role_id)),
        held=len(list_held_answers(conn, tenant_id, of_role(tenant_id, role_id))),
        reminders=count_ahead(conn, tenant_id, ids_of(acts_before_its_end(tenant_id, role_id))),
        bookings=_count(conn, waiting),
        last_until_at=last,
        ended=_count(conn, [*of_role(tenant_id, role_id), threads.c.status.in_(ENDED)]),
    )


def _count(conn: Connection, which: Which) -> int:
    return int(conn.execute(select(func.count()).where(*which)).scalar_one())
