"""A person's sitting as the strip shows it, and as its end does: verdicts, what stood out, what is still held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sqlalchemy import Connection, and_, bindparam, case, func, literal, select, true

from core.errors import NotFound
from core.people.tables import PersonRow
from core.review.looks import OPEN
from core.review.read import approvals
from core.review.sittings import IDLE, sittings, verdicts
from core.threads.rows import not_tried_only
from core.vault.sealing import Vault
from core.views.threads import read_people_of

_people = PersonRow.__table__  # type: ignore[attr-defined]
PACED = 30  # so many of a person's last verdicts make their pace
LEAST_PACED = 3
_MINE = (sittings.c.tenant_id == bindparam("tenant"), sittings.c.person_id == bindparam("person"))
_LAST = select(sittings).where(*_MINE).order_by(sittings.c.opened_at.desc(), sittings.c.id).limit(1).subquery()
_TOOK = (
    select(verdicts.c.took_ms)
    .where(
        verdicts.c.tenant_id == bindparam("tenant"),
        verdicts.c.person_id == bindparam("person"),
        verdicts.c.took_ms.is_not(None),
    )
    .order_by(verdicts.c.at.desc(), verdicts.c.n.desc())
    .limit(PACED)
    .subquery()
)
_TODAY = (
    select(func.count())
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.decided_at >= bindparam("since", type_=approvals.c.decided_at.type),
        not_tried_only(approvals.c.thread_id, bindparam("tenant")),
    )
    .scalar_subquery()
)
_LOOKS = (
    select(func.count()).select_from(OPEN.with_only_columns(verdicts.c.n).order_by(None).subquery()).scalar_subquery()
)
_ONE = select(literal(1).label("one")).subquery()
_PACE = select(_LAST.c.id, _LAST.c.opened_at, _LAST.c.seen_at, _LAST.c.ended_at, _TOOK.c.took_ms, _TODAY.label("today"),
               _LOOKS.label("looks"))  # fmt: skip
_PACE = _PACE.select_from(_ONE.outerjoin(_LAST, true()).outerjoin(_TOOK, true()))
# A release raises the version once, one by hand twice; what was taken back and given again is two versions on.
_STANDS = and_(
    approvals.c.decided_at == verdicts.c.at,
    approvals.c.decided_by == verdicts.c.person_id,
    approvals.c.version - verdicts.c.version <= case((approvals.c.released_at.is_(None), 1), else_=2),
)
_GIVEN = (
    select(
        verdicts, approvals.c.kind, approvals.c.release_at, approvals.c.released_at, _STANDS.label("stands"),
    )
    .join(approvals, and_(approvals.c.tenant_id == verdicts.c.tenant_id, approvals.c.id == verdicts.c.approval_id))
    .where(verdicts.c.tenant_id == bindparam("tenant"), verdicts.c.sitting_id == bindparam("sitting"))
    .order_by(verdicts.c.n)
)  # fmt: skip
_SITTING = (
    select(sittings, _people.c.name)
    .join(_people, and_(_people.c.tenant_id == sittings.c.tenant_id, _people.c.id == sittings.c.person_id))
    .where(sittings.c.tenant_id == bindparam("tenant"), sittings.c.id == bindparam("sitting"))
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a person goes through the queue. `sitting_id` is None while no sitting of theirs is open.

    `each_s` is the median of their last looks in seconds, None for fewer than three;
    `decided_today` counts all people's.
    """

    sitting_id: str | None
    opened_at: datetime | None
    each_s: float | None
    decided_today: int
    looks: int = 0

    def minutes_for(self, count: int) -> int | None:
        """Answer how many minutes so many questions take at this pace, at least one."""
        return None if self.each_s is None or not count else max(1, round(self.each_s * count / 60))


@dataclass(frozen=True, slots=True)
class Given:
    """One verdict of a sitting. `stands` is False once it was taken back or its basis moved."""

    n: int
    approval_id: str
    thread_id: str
    name: str | None
    kind: str
    verdict: str
    at: datetime
    took_ms: int | None
    is_against: bool
    is_edited: bool
    stands: bool
    release_at: datetime | None
    released_at: datetime | None

    @property
    def is_held(self) -> bool:
        """Say whether it stands and can still be undone."""
        return self.stands and self.released_at is None


@dataclass(frozen=True, slots=True)
class Ended:
    """A sitting as its end shows it; verdicts that stood out come first."""

    id: str
    by: str
    opened_at: datetime
    ended_at: datetime | None
    ended_why: str | None
    given: Sequence[Given]

    @property
    def held(self) -> list[Given]:
        """Answer what can still be undone."""
        return [one for one in self.given if one.is_held]


def read_pace(conn: Connection, tenant_id: str, person_id: str, now: datetime, since: datetime) -> Pace:
    """Answer a person's sitting and pace; `since` is when their day began."""
    rows = conn.execute(_PACE, {"tenant": tenant_id, "person": person_id, "since": since, "now": now}).all()
    last = rows[0]
    took = [row.took_ms for row in rows if row.took_ms is not None]
    is_open = last.id is not None and last.ended_at is None and now < last.seen_at + IDLE
    return Pace(
        sitting_id=last.id if is_open else None,
        opened_at=last.opened_at if is_open else None,
        each_s=median(took) / 1000 if len(took) >= LEAST_PACED else None,
        decided_today=last.today,
        looks=last.looks if is_open else 0,
    )


def read_ended(conn: Connection, vault: Vault, tenant_id: str, sitting_id: str, now: datetime) -> Ended:
    """Answer a sitting of this tenant, or raise NotFound."""
    row = conn.execute(_SITTING, {"tenant": tenant_id, "sitting": sitting_id}).first()
    if row is None:
        raise NotFound(f"There is no sitting {sitting_id!r} in tenant {tenant_id}.")
    rows = conn.execute(_GIVEN, {"tenant": tenant_id, "sitting": sitting_id}).all()
    names = read_people_of(conn, vault, tenant_id, list({one.thread_id for one in rows}))
    given = [
        Given(**{name: one._mapping[name] for name in _OF_ROW}, name=names.get(one.thread_id), stands=bool(one.stands))
        for one in rows
    ]
    idle_at = row.seen_at + IDLE
    is_idle = row.ended_at is None and idle_at <= now
    return Ended(
        id=row.id,
        by=row.name,
        opened_at=row.opened_at,
        ended_at=idle_at if is_idle else row.ended_at,
        ended_why="idle" if is_idle else row.ended_why,
        given=sorted(given, key=_standing_out),
    )


_OF_ROW = tuple(name for name in Given.__dataclass_fields__ if name not in ("name", "stands"))


def _standing_out(one: Given) -> tuple[object, ...]:
    """Put on top what went against the total, then what was edited, then what was fastest."""
    return (not one.stands, not one.is_against, not one.is_edited, one.took_ms is None, one.took_ms or 0, one.n)
