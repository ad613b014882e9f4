"""A tenant's duties as rows: set, taken when due, ended. A local day has one run, whatever happens.

Taking one writes its run and moves it to its next day in one transaction, so that of several workers one takes it. A
run whose worker died or that failed is taken again; what a duty does may therefore happen twice and must bear that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, exists, func, insert, select, update

from core.db.store import Tx
from core.duties.calendar import WEEKDAYS, Due, Rule, list_dues, next_due, read_rule, say_rule
from core.duties.tables import DutyRow, DutyRunRow
from core.steps import Json

_duties = DutyRow.__table__  # type: ignore[attr-defined]
_runs = DutyRunRow.__table__  # type: ignore[attr-defined]
RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class Duty:
    """One duty of a tenant; `next` is None while it is off."""

    name: str
    rule: Rule
    next: Due | None
    set_by: str

    @property
    def said(self) -> str:
        """When it is done, in words."""
        return say_rule(self.rule) if self.next is not None else "off"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a duty. `missed` days before it had none; `failed` names the error of its last try."""

    name: str
    due: Due
    missed: int
    tries: int
    started_at: datetime
    ended_at: datetime | None
    failed: str | None
    result: Mapping[str, Json] | None

    @property
    def late(self) -> timedelta:
        """How long after its time it began."""
        return self.started_at - self.due.at


def set_duty(tx: Tx, tenant_id: str, name: str, rule: Rule, *, by: str, now: datetime) -> Due:
    """Let a duty be done at a rule's time from the next one on; a day that had its run has no second one."""
    day = tx.conn.execute(select(func.max(_runs.c.day)).where(*_named(_runs, tenant_id, name))).scalar_one()
    due = next_due(rule, now, None if day is None else date.fromisoformat(day))
    values = {
        "at_time": f"{rule.at:%H:%M}", "zone": rule.zone, "weekday": rule.weekday, "next_day": due.day.isoformat(),
        "next_at": due.at, "set_by": by, "set_at": now,
    }  # fmt: skip
    changed = tx.conn.execute(update(_duties).where(*_named(_duties, tenant_id, name)).values(values))
    if changed.rowcount == 0:
        tx.conn.execute(insert(_duties).values(tenant_id=tenant_id, name=name, **values))
    return due


def switch_off(tx: Tx, tenant_id: str, name: str, *, by: str, now: datetime) -> bool:
    """Let a duty be due no more, and say whether it was on; what ran stays written."""
    here = (*_named(_duties, tenant_id, name), _duties.c.next_at.is_not(None))
    values = {"next_day": None, "next_at": None, "set_by": by, "set_at": now}
    return tx.conn.execute(update(_duties).where(*here).values(values)).rowcount > 0


def list_duties(conn: Connection, tenant_id: str) -> dict[str, Duty]:
    """Answer the duties that a tenant ever set, by name."""
    rows = conn.execute(select(_duties).where(_duties.c.tenant_id == tenant_id).order_by(_duties.c.name))
    return {row.name: _duty(row) for row in rows}


def list_with_last_runs(conn: Connection, tenant_id: str) -> dict[str, tuple[Duty, Run | None]]:
    """Answer the duties that a tenant ever set, each with its last run, in one statement."""
    mine = (_runs.c.tenant_id == _duties.c.tenant_id, _runs.c.name == _duties.c.name)
    latest = select(func.max(_runs.c.day)).where(*mine).correlate(_duties).scalar_subquery()
    joined = _duties.outerjoin(_runs, and_(*mine, _runs.c.day == latest))
    columns = [_runs.c[name].label(name) for name in _runs.c.keys() if name not in ("tenant_id", "name")]  # noqa: SIM118
    query = select(*_duties.c, *columns).select_from(joined).where(_duties.c.tenant_id == tenant_id)
    rows = conn.execute(query.order_by(_duties.c.name)).all()
    return {row.name: (_duty(row), None if row.day is None else _run(row)) for row in rows}


def list_runs(conn: Connection, tenant_id: str, name: str | None = None, *, most: int = 30) -> list[Run]:
    """Answer the latest runs of a tenant's duties, or of one of them, the newest first."""
    query = select(_runs).where(_runs.c.tenant_id == tenant_id)
    if name is not None:
        query = query.where(_runs.c.name == name)
    return [_run(row) for row in conn.execute(query.order_by(_runs.c.day.desc(), _runs.c.name).limit(most))]


def has_work(conn: Connection, tenant_id: str, now: datetime) -> bool:
    """Say in one statement whether a duty is due or a run is not ended."""
    due = exists().where(_duties.c.tenant_id == tenant_id, _duties.c.next_at <= now)
    unended = exists().where(_runs.c.tenant_id == tenant_id, _runs.c.ended_at.is_(None))
    return bool(conn.execute(select(due | unended)).scalar_one())


def take_due(
    tx: Tx, tenant_id: str, worker_id: str, now: datetime, *, is_gone: Callable[[str], bool]
) -> list[tuple[Rule, Run]]:
    """Take what is due and what a dead worker or an error left, and answer the runs to be done now."""
    due = select(_duties).where(_duties.c.tenant_id == tenant_id, _duties.c.next_at <= now)
    taken = [_begin(tx, row, worker_id, now) for row in tx.conn.execute(due).all()]
    begun = {(run.name, run.due.day) for _, run in taken}
    left = select(_runs, _duties.c.at_time, _duties.c.zone, _duties.c.weekday).where(
        _runs.c.tenant_id == tenant_id, _runs.c.ended_at.is_(None),
        _duties.c.tenant_id == _runs.c.tenant_id, _duties.c.name == _runs.c.name,
    )  # fmt: skip
    for row in tx.conn.execute(left.order_by(_runs.c.due_at)).all():
        run = _run(row)
        is_free = row.retry_at <= now if row.retry_at is not None else is_gone(row.worker_id)
        if is_free and (run.name, run.due.day) not in begun:
            values = {"worker_id": worker_id, "tries": run.tries + 1, "retry_at": None}
            tx.conn.execute(update(_runs).where(*_of_run(tenant_id, run)).values(values))
            taken.append((_rule(row), replace(run, tries=run.tries + 1)))
    return taken


def end_run(tx: Tx, tenant_id: str, run: Run, result: Mapping[str, Json], now: datetime) -> None:
    """Write what a run came to: counts and codes."""
    values = {"ended_at": now, "failed": None, "result": dict(result)}
    tx.conn.execute(update(_runs).where(*_of_run(tenant_id, run)).values(values))


def fail_run(tx: Tx, tenant_id: str, run: Run, code: str, now: datetime) -> bool:
    """Write that a try failed, and say whether there is another; after the last the run ends as failed."""
    is_last = run.tries > len(RETRY_AFTER)
    values = {"ended_at": now} if is_last else {"retry_at": now + RETRY_AFTER[run.tries - 1]}
    tx.conn.execute(update(_runs).where(*_of_run(tenant_id, run)).values(failed=code, **values))
    return not is_last


def _begin(tx: Tx, row: Row[Any], worker_id: str, now: datetime) -> tuple[Rule, Run]:
    """Write one run for the last of the days that are due, and set the next day."""
    rule = _rule(row)
    before = date.fromisoformat(row.next_day) - timedelta(days=1)
    due, missed = None, -1
    for one in list_dues(rule, before):
        if one.at > now:
            break
        due, missed = one, missed + 1
    assert due is not None  # noqa: S101 - the row's own day is due
    ahead = next_due(rule, now, due.day)
    tx.conn.execute(
        insert(_runs).values(
            tenant_id=row.tenant_id, name=row.name, day=due.day.isoformat(), due_at=due.at, moved=due.moved,
            missed=missed, worker_id=worker_id, started_at=now,
        )
    )  # fmt: skip
    values = {"next_day": ahead.day.isoformat(), "next_at": ahead.at}
    tx.conn.execute(update(_duties).where(*_named(_duties, row.tenant_id, row.name)).values(values))
    return rule, Run(row.name, due, missed, 1, now, None, None, None)


def _named(table: Any, tenant_id: str, name: str) -> tuple[Any, ...]:
    return table.c.tenant_id == tenant_id, table.c.name == name


def _of_run(tenant_id: str, run: Run) -> tuple[Any, ...]:
    return *_named(_runs, tenant_id, run.name), _runs.c.day == run.due.day.isoformat()


def _rule(row: Row[Any]) -> Rule:
    return read_rule(row.at_time, row.zone, None if row.weekday is None else WEEKDAYS[row.weekday])


def _duty(row: Row[Any]) -> Duty:
    due = None if row.next_at is None else Due(date.fromisoformat(row.next_day), row.next_at)
    return Duty(row.name, _rule(row), due, row.set_by)


def _run(row: Row[Any]) -> Run:
    due = Due(date.fromisoformat(row.day), row.due_at, row.moved)
    return Run(row.name, due, row.missed, row.tries, row.started_at, row.ended_at, row.failed, row.result)
