"""The list of runs: how many there are of each status, and one page of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, exists, func, or_, select

from core.identity import fold_words
from core.threads.rows import COLUMNS, threads, to_thread
from core.threads.tables import ENDED
from core.vault.sealing import Vault
from core.vault.subjects import find_by_words
from core.views.threads import Filters, Line, read_people_of

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class RunCounts:
    """How many runs there are of each status, of those that were looked for; `is_empty`: the tenant has none at all."""

    by_status: Mapping[str, int]
    is_empty: bool


def count_runs(conn: Connection, vault: Vault, tenant_id: str, find: str) -> RunCounts:
    """Count a tenant's runs by status. `find` is the start of an id, or words of a name; empty finds all."""
    query = select(threads.c.status, func.count()).where(_wanted(conn, vault, tenant_id, find))
    by_status = {status: count for status, count in conn.execute(query.group_by(threads.c.status))}
    return RunCounts(by_status, is_empty=not by_status and not (find and _has_any(conn, tenant_id)))


def list_runs(conn: Connection, vault: Vault, tenant_id: str, filters: Filters, number: int) -> list[Line]:
    """Answer one page of runs: those that go on first, and of these the one that has waited longest."""
    query = select(*COLUMNS).where(_wanted(conn, vault, tenant_id, filters.find or ""))
    if filters.status is not None:
        query = query.where(threads.c.status == filters.status)
    query = query.order_by(threads.c.status.in_(ENDED), threads.c.since_at, threads.c.id)
    found = [to_thread(row) for row in conn.execute(query.limit(PAGE_SIZE).offset((number - 1) * PAGE_SIZE))]
    people = read_people_of(conn, vault, tenant_id, [thread.id for thread in found])
    return [Line(thread, people.get(thread.id)) for thread in found]


def _wanted(conn: Connection, vault: Vault, tenant_id: str, find: str) -> ColumnElement[bool]:
    mine: ColumnElement[bool] = threads.c.tenant_id == tenant_id
    if not find:
        return mine
    named = find_by_words(conn, vault, tenant_id, fold_words(find))
    return and_(mine, or_(threads.c.id.in_(named), threads.c.id.startswith(find, autoescape=True)))


def _has_any(conn: Connection, tenant_id: str) -> bool:
    return bool(conn.execute(select(exists().where(threads.c.tenant_id == tenant_id))).scalar())
