"""The front page from rows: what waits for a person, what fires next, what happened lately, what is wrong.

Four statements, whatever there is: figures, lists, parked threads, names. Nothing sealed is opened but the names of the
people on the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, case, func, literal, select, union_all

from core.costs.calls import model_calls, unpriced
from core.effects.plan import effects
from core.review.read import approvals
from core.threads.events import left_over
from core.threads.rows import COLUMNS, Thread, threads, to_thread
from core.vault.sealing import Vault
from core.views import today_rows as rows_of
from core.views.of_role import is_closing
from core.views.threads import read_people_of
from core.views.today_rows import SHOWN

LISTS = ("waiting", "left_over", "fires", "lately", "unknown", "overdue")


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of the page: an instant, whose it is, and what.

    `what` is, in each list: waiting, the kind of question; left_over, the event's name; fires, `hold`, `timer`,
    `retry` or `window`; lately, the effect's kind or how the run ended; unknown, the effect's kind; overdue, the
    status.
    `detail` is: waiting, the approval's id; left_over, `late` where it came too late; fires, what happens then
    (`window`: what is waited for); lately and unknown, the effect's key. A question of a closed role `is_closing`.
    """

    at: datetime
    thread_id: str
    name: str | None
    what: str
    detail: str | None
    version: int
    is_closing: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """How many there are of everything, and two instants. `lately` counts by what happened."""

    waiting: int
    due_soonest_at: datetime | None
    past_due: int
    came_back: int
    held: int
    left_over: int
    parked: int
    unknown: int
    unpriced: int
    overdue: int
    overdue_since_at: datetime | None
    fires: int
    next_at: datetime | None
    lately: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Parked:
    """A parked thread and the name of its person."""

    thread: Thread
    name: str | None


@dataclass(frozen=True, slots=True)
class Today:
    """The front page. Each list is one page of what its figure counts; `lately` holds what came after `since`."""

    since: datetime
    figures: Figures
    waiting: Sequence[Moment]
    left_over: Sequence[Moment]
    fires: Sequence[Moment]
    lately: Sequence[Moment]
    unknown: Sequence[Moment]
    overdue: Sequence[Moment]
    parked: Sequence[Parked]


@dataclass(frozen=True, slots=True)
class Place:
    """Which page of the two long lists is wanted, from 1; past the end is the last one.

    `since`: from when on something is news, a week back at the most; None is a day back.
    """

    fires: int = 1
    lately: int = 1
    since: datetime | None = None

    def begins(self, now: datetime) -> datetime:
        """Answer from when on something is news."""
        return now - rows_of.BACK if self.since is None else max(self.since, now - rows_of.FURTHEST_BACK)


def read_today(conn: Connection, vault: Vault, tenant_id: str, now: datetime, place: Place) -> Today:
    """Answer the front page of a tenant at its business time."""
    figures = _read_figures(conn, tenant_id, now, place.begins(now))
    rows = conn.execute(union_all(*_lists(tenant_id, now, figures, place))).all()
    parked = _read_parked(conn, tenant_id) if figures.parked else []
    shown = dict.fromkeys([*(row.thread_id for row in rows), *(thread.id for thread in parked)])
    names = read_people_of(conn, vault, tenant_id, list(shown))
    lists: dict[str, list[Moment]] = {name: [] for name in LISTS}
    for row in rows:
        lists[row.list].append(_moment(row, names.get(row.thread_id)))
    return Today(
        since=place.begins(now), figures=figures, parked=[Parked(one, names.get(one.id)) for one in parked], **lists
    )


def _moment(row: Row[Any], name: str | None) -> Moment:
    detail = row.detail
    if row.what == "window":  # the events waited for, as the row has them
        detail = " or ".join(json.loads(detail))
    return Moment(row.at, row.thread_id, name, row.what, detail, row.version, bool(row.is_closing))


def find_last_sitting(conn: Connection, tenant_id: str, person_id: str, now: datetime) -> datetime | None:
    """Answer when a person last ended a sitting, by hand or by being away; None where there was none."""
    ended: datetime | None = conn.execute(rows_of.last_sat(tenant_id, person_id, now)).scalar()
    return ended


def page_count(figure: int) -> int:
    """Answer how many pages a list has whose figure is this."""
    return max(1, -(-figure // SHOWN))


def _read_figures(conn: Connection, tenant_id: str, now: datetime, since: datetime) -> Figures:
    pending = rows_of.pending(tenant_id)
    timers, lately = rows_of.timers(tenant_id, now).subquery(), rows_of.lately(tenant_id, since, now).subquery()
    rows = conn.execute(
        union_all(
            rows_of.figure("waiting", *pending, at=approvals.c.due_at),
            rows_of.figure("past_due", *pending, approvals.c.due_at <= now, at=approvals.c.due_at),
            rows_of.figure("came_back", *pending, approvals.c.version > 1, at=approvals.c.due_at),
            rows_of.figure("held", *rows_of.held(tenant_id), at=approvals.c.release_at),
            rows_of.figure("left_over", *left_over(tenant_id), at=rows_of.events.c.received_at),
            rows_of.figure("parked", *rows_of.parked(tenant_id), at=threads.c.since_at),
            rows_of.figure("unknown", *rows_of.unknown(tenant_id), at=effects.c.planned_at),
            rows_of.figure("unpriced", *unpriced(tenant_id), at=model_calls.c.opened_at),
            rows_of.figure("overdue", *rows_of.overdue(tenant_id, now), at=threads.c.wake_at),
            rows_of.figure("fires", timers.c.at.is_not(None), at=timers.c.at),
            select(literal("lately"), lately.c.what, func.count(), func.min(lately.c.at)).group_by(lately.c.what),
        )
    ).all()
    one = {row.figure: row for row in rows}
    return Figures(
        **{name: one[name].number for name in one if name != "lately"},
        due_soonest_at=one["waiting"].at,
        overdue_since_at=one["overdue"].at,
        next_at=one["fires"].at,
        lately={row.what: row.number for row in rows if row.figure == "lately"},
    )


def _lists(tenant_id: str, now: datetime, figures: Figures, place: Place) -> list[rows_of.Columns]:
    a, e, t = approvals.c, effects.c, threads.c
    waiting = rows_of.line(a.due_at, a.thread_id, a.kind, a.id, a.version, is_closing())
    waiting = waiting.where(*rows_of.pending(tenant_id))
    v = rows_of.events.c
    unused = rows_of.line(v.received_at, v.thread_id, v.name, case((v.late, "late"))).where(*left_over(tenant_id))
    since = func.coalesce(e.sending_at, e.planned_at)
    unknown = rows_of.line(since, e.thread_id, e.kind, e.key).where(*rows_of.unknown(tenant_id))
    overdue = rows_of.line(t.wake_at, t.id, t.status).where(*rows_of.overdue(tenant_id, now))
    return [
        rows_of.page("waiting", waiting),
        rows_of.page("left_over", unused, newest_first=True),
        rows_of.page("fires", rows_of.timers(tenant_id, now), number=min(place.fires, page_count(figures.fires))),
        rows_of.page(
            "lately",
            rows_of.lately(tenant_id, place.begins(now), now),
            number=min(place.lately, page_count(sum(figures.lately.values()))),
            newest_first=True,
        ),
        rows_of.page("unknown", unknown),
        rows_of.page("overdue", overdue),
    ]


def _read_parked(conn: Connection, tenant_id: str) -> list[Thread]:
    query = select(*COLUMNS).where(*rows_of.parked(tenant_id)).order_by(threads.c.since_at, threads.c.id).limit(SHOWN)
    return [to_thread(row) for row in conn.execute(query)]
