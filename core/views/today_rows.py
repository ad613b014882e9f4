"""Which rows each part of the front page is drawn from; figures and lists share them, so that they cannot differ."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    String,
    case,
    false,
    func,
    literal,
    null,
    select,
    type_coerce,
    union_all,
)

from core.effects.plan import effects
from core.review.read import approvals
from core.review.sittings import IDLE, sittings
from core.threads.repair import CARRIED_OUT
from core.threads.rows import not_tried_only, threads
from core.threads.tables import ENDED, EventRow

AHEAD, BACK, FURTHEST_BACK = timedelta(hours=48), timedelta(hours=24), timedelta(days=7)
OVERDUE_AFTER = timedelta(seconds=30)
SHOWN = 8
DIGESTS = "digest/"  # a letter that tells what happened is no news in the next one
Columns = Select[*tuple[Any, ...]]

events = EventRow.__table__  # type: ignore[attr-defined]


def figure(name: str, *where: ColumnElement[bool], at: ColumnElement[datetime]) -> Columns:
    """Count the rows that fit, with the earliest instant among them."""
    counted = func.count().label("number"), func.min(at).label("at")
    return select(literal(name).label("figure"), null().label("what"), *counted).where(*where)


def line(
    at: ColumnElement[datetime],
    thread_id: ColumnElement[str],
    what: ColumnElement[str],
    detail: ColumnElement[str] | None = None,
    version: ColumnElement[int] | None = None,
    closing: ColumnElement[bool] | None = None,
) -> Columns:
    """Select rows as lines of the page."""
    return select(
        at.label("at"),
        thread_id.label("thread_id"),
        what.label("what"),
        (null() if detail is None else detail).label("detail"),
        (literal(0) if version is None else version).label("version"),
        (false() if closing is None else closing).label("is_closing"),
    )


def page(name: str, lines: Any, *, number: int = 1, newest_first: bool = False) -> Columns:
    """Cut one page out of lines, under its list's name."""
    every = lines.subquery()
    order = (every.c.at.desc() if newest_first else every.c.at, every.c.thread_id, every.c.what)
    page = select(every).order_by(*order).limit(SHOWN).offset((max(number, 1) - 1) * SHOWN).subquery()
    return select(literal(name).label("list"), page)


def pending(tenant_id: str) -> list[ColumnElement[bool]]:
    """Select the questions of `list_queue`."""
    real = not_tried_only(approvals.c.thread_id, tenant_id)
    return [approvals.c.tenant_id == tenant_id, approvals.c.status == "pending", real]


def held(tenant_id: str) -> list[ColumnElement[bool]]:
    """Select the decisions that can still be undone."""
    mine, decided = approvals.c.tenant_id == tenant_id, approvals.c.status.in_(("approved", "rejected"))
    real = not_tried_only(approvals.c.thread_id, tenant_id)
    return [mine, decided, approvals.c.released_at.is_(None), real]


def parked(tenant_id: str) -> list[ColumnElement[bool]]:
    """Select the parked threads."""
    return [threads.c.tenant_id == tenant_id, threads.c.status == "parked", ~threads.c.is_sandbox]


def unknown(tenant_id: str) -> list[ColumnElement[bool]]:
    """Select the effects of which nobody knows whether they happened."""
    return [effects.c.tenant_id == tenant_id, effects.c.status == "unknown"]


def overdue(tenant_id: str, now: datetime) -> list[ColumnElement[bool]]:
    """Select what `find_overdue` counts, once it has been due for long enough that a worker should have come."""
    mine, free = threads.c.tenant_id == tenant_id, threads.c.lease_holder.is_(None)
    return [mine, free, threads.c.wake_at <= now - OVERDUE_AFTER]


def timers(tenant_id: str, now: datetime) -> CompoundSelect[Any]:
    """Select the instants ahead at which something happens by itself, each with its thread."""
    t = threads.c
    kind = case((t.status == "ready", "retry"), (t.then_what == CARRIED_OUT, "hold"), else_="timer")
    waits = t.status.in_(("ready", "waiting", "awaiting_review"))
    # None of these has a lease: said, it lets the index of what is due be walked, and not every question there is.
    wakes = line(t.wake_at, t.id, kind, t.then_what).where(
        t.tenant_id == tenant_id,
        t.lease_holder.is_(None),
        waits,
        ~t.is_sandbox,
        t.wake_at > now,
        t.wake_at <= now + AHEAD,
    )
    awaited = type_coerce(t.wait_events, String)
    closes = line(t.until_at, t.id, literal("window"), awaited).where(
        t.tenant_id == tenant_id, t.status == "waiting", t.waits_for == "event", ~t.is_sandbox,
        t.until_at > t.wake_at, t.until_at > now, t.until_at <= now + AHEAD,
    )  # fmt: skip
    return union_all(wakes, closes)


def last_sat(tenant_id: str, person_id: str, now: datetime) -> Columns:
    """Select when the newest sitting of a person that is over ended; one that idled out ended with its last act."""
    s = sittings.c
    over = s.ended_at.is_not(None) | (s.seen_at <= now - IDLE)
    ended = select(func.coalesce(s.ended_at, s.seen_at)).where(s.tenant_id == tenant_id, s.person_id == person_id, over)
    return ended.order_by(s.opened_at.desc()).limit(1)


def lately(tenant_id: str, since: datetime, now: datetime) -> CompoundSelect[Any]:
    """Select what left and what ended since an instant."""
    e, t = effects.c, threads.c
    left = line(e.done_at, e.thread_id, e.kind, e.key).where(
        e.tenant_id == tenant_id, e.status == "done", e.done_at > since, e.done_at <= now,
        ~e.key.startswith(DIGESTS),
    )  # fmt: skip
    ended = line(t.since_at, t.id, func.coalesce(t.outcome, t.status)).where(
        t.tenant_id == tenant_id,
        t.status.in_(ENDED),
        t.status != "erased",
        ~t.is_sandbox,
        ~t.id.startswith(DIGESTS),
        t.since_at > since,
        t.since_at <= now,
    )
    return union_all(left, ended)
