"""The list of runs: what it is narrowed to, and one page of lines, as fast with a million runs as with ten.

A filter that leaves few runs is read whole along its own index, ordered and cut here. One that leaves more than MOST is
walked in the order that is asked for, along that order's index, until a page is full. Either way a page begins after
the last line of the one before (its `Place`), never so many lines into the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, String, and_, func, literal, select, type_coerce, union_all

from core.catalog.roles import list_roles
from core.clock import write_instant
from core.effects.plan import effects
from core.identity import fold_words
from core.people.people import Member, list_people
from core.threads.rows import COLUMNS, threads, to_thread
from core.threads.tables import STATUSES
from core.vault.sealing import Vault
from core.vault.subjects import find_by_words
from core.views.runs_order import Place, Row, ordered, walk
from core.views.threads import Line, read_people_of

PAGE_SIZE = 50
MOST = 2_000
COUNTED = 10_000  # of each status, at the most
_FOUND = 1_000  # of one look-up by name, id or key
_END_OF_TEXT = "\U0010ffff"
_t = threads.c
_FILTERS = {"status": _t.status, "workflow": _t.workflow, "role_id": _t.role_id, "owner_id": _t.owner_id}
_HEAD = (
    _t.id, _t.status, _t.workflow, _t.role_id, _t.owner_id, type_coerce(_t.since_at, String).label("since_at"),
    type_coerce(_t.created_at, String).label("created_at"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list is narrowed to and ordered by; None leaves a column open.

    `find` is an id or its start, an effect's key, or whole words of a name. `stood_for` is how long a run has stood
    where it stands, at least. `sort` is one of `SORTS`.
    """

    find: str = ""
    status: str | None = None
    workflow: str | None = None
    role_id: str | None = None
    owner_id: str | None = None
    stood_for: timedelta | None = None
    sort: str = "waited"
    is_descending: bool = False

    @property
    def is_open(self) -> bool:
        """Say whether nothing narrows the list."""
        return not (self.find or self.stood_for or any(self.given()))

    def given(self) -> dict[str, str]:
        """Answer the columns that are narrowed, and to what."""
        named = ((name, getattr(self, name)) for name in _FILTERS)
        return {name: value for name, value in named if value is not None}


@dataclass(frozen=True, slots=True)
class Page:
    """One page of runs. `by_status` is None where counting would mean looking at all of too many.

    A count above COUNTED says "more than COUNTED"; `total` is None where nobody counted. `before` and `after` are None
    at the ends of the list. `is_empty` says that there is no run at all; a search that finds none does not look.
    """

    lines: Sequence[Line]
    by_status: Mapping[str, int] | None
    total: int | None
    before: Place | None
    after: Place | None
    is_empty: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """What the list may be narrowed to: the ids of roles, and people by their address."""

    roles: Sequence[str]
    people: Mapping[str, Member]


def read_choices(conn: Connection, tenant_id: str) -> Choices:
    """Answer what there is to choose from."""
    roles = [role.id for role in list_roles(conn, tenant_id)]
    return Choices(roles, {member.email: member for member in list_people(conn, tenant_id)})


def list_runs(
    conn: Connection, vault: Vault, tenant_id: str, wanted: Wanted, place: Place | None, now: datetime
) -> Page:
    """Answer the page at a place; the first where there is none. Runs that go on come first, then those that ended."""
    few = _read_few(conn, vault, tenant_id, wanted, now)
    if few is not None:
        rows, before, after = ordered(few, wanted.sort, place, PAGE_SIZE, is_descending=wanted.is_descending)
        by_status: Mapping[str, int] | None = Counter(row.status for row in few)
        total: int | None = len(few)
    else:
        rows, before, after = walk(
            conn, tenant_id, _where(wanted, now), wanted.sort, place, PAGE_SIZE,
            status=wanted.status, is_descending=wanted.is_descending,
        )  # fmt: skip
        by_status = _count_each(conn, tenant_id) if wanted.is_open or list(wanted.given()) == ["status"] else None
        total = (
            None
            if by_status is None
            else sum(by_status.values() if wanted.is_open else [by_status[str(wanted.status)]])
        )
    lines = _read_lines(conn, vault, tenant_id, [row.id for row in rows])
    is_empty = not (lines or wanted.find) and (wanted.is_open or not _has_any(conn, tenant_id))
    return Page(lines, by_status, total, before, after, is_empty)


def _read_few(conn: Connection, vault: Vault, tenant_id: str, wanted: Wanted, now: datetime) -> list[Row] | None:
    """Answer all runs that fit, or None where there may be more than MOST."""
    if wanted.find:
        ids = _find_ids(conn, vault, tenant_id, wanted.find)
        if not ids:
            return []
        where = [_t.id.in_(ids)]
    else:
        narrowest = _narrowest(conn, tenant_id, wanted)
        if narrowest is None:
            return None
        where = narrowest
    found = conn.execute(select(*_HEAD).where(_t.tenant_id == tenant_id, *where).limit(MOST + 1))
    rows = [Row(*row) for row in found]
    return [row for row in rows if _fits(row, wanted, now)]


def _narrowest(conn: Connection, tenant_id: str, wanted: Wanted) -> list[ColumnElement[bool]] | None:
    """Answer the one filter that leaves the fewest runs, if that is MOST at the most."""
    given = wanted.given()
    counted = [
        select(literal(name).label("name"), func.count().label("number")).select_from(
            select(_t.id).where(_t.tenant_id == tenant_id, _FILTERS[name] == value).limit(MOST + 1).subquery()
        )
        for name, value in given.items()
    ] or [
        select(literal("").label("name"), func.count().label("number")).select_from(
            select(_t.id).where(_t.tenant_id == tenant_id).limit(MOST + 1).subquery()
        )
    ]
    name, number = min(((row.name, row.number) for row in conn.execute(union_all(*counted))), key=lambda one: one[1])
    if number > MOST:
        return None
    return [_FILTERS[name] == given[name]] if name else []


def _fits(row: Row, wanted: Wanted, now: datetime) -> bool:
    if wanted.stood_for is not None and row.since_at > write_instant(now - wanted.stood_for):
        return False
    return all(getattr(row, name) == value for name, value in wanted.given().items())


def _where(wanted: Wanted, now: datetime) -> list[ColumnElement[bool]]:
    where = [_FILTERS[name] == value for name, value in wanted.given().items() if name != "status"]
    return where if wanted.stood_for is None else [*where, _t.since_at <= now - wanted.stood_for]


def _find_ids(conn: Connection, vault: Vault, tenant_id: str, find: str) -> list[str]:
    """Answer the runs by the start of an id, by the key of an effect, and by whole words of a name."""
    named = find_by_words(conn, vault, tenant_id, fold_words(find), most=_FOUND)
    starts = [_starts_with(conn, text) for text in dict.fromkeys((find, find.lower()))]
    by_id = [select(_t.id).where(_t.tenant_id == tenant_id, start).limit(_FOUND) for start in starts]
    by_key = select(effects.c.thread_id).where(effects.c.tenant_id == tenant_id, effects.c.key == find)
    found = conn.execute(union_all(*(select(one.subquery()) for one in by_id), by_key)).scalars()
    return list(dict.fromkeys([*named, *found]))


def _starts_with(conn: Connection, text: str) -> ColumnElement[bool]:
    """Say it so that SQLite walks its index; elsewhere text is not ordered by its bytes."""
    if conn.dialect.name == "sqlite":
        return and_(_t.id >= text, _t.id < text + _END_OF_TEXT)
    return and_(_t.id.startswith(text, autoescape=True))


def _count_each(conn: Connection, tenant_id: str) -> dict[str, int]:
    """Count the runs of each status, each up to one more than COUNTED."""
    each = [
        select(literal(status).label("status"), func.count().label("number")).select_from(
            select(_t.id).where(_t.tenant_id == tenant_id, _t.status == status).limit(COUNTED + 1).subquery()
        )
        for status in STATUSES
    ]
    return {row.status: row.number for row in conn.execute(union_all(*each)) if row.number}


def _read_lines(conn: Connection, vault: Vault, tenant_id: str, ids: Sequence[str]) -> list[Line]:
    rows = conn.execute(select(*COLUMNS).where(_t.tenant_id == tenant_id, _t.id.in_(ids))) if ids else ()
    found = {thread.id: thread for thread in map(to_thread, rows)}
    people = read_people_of(conn, vault, tenant_id, list(found))
    return [Line(found[thread_id], people.get(thread_id)) for thread_id in ids if thread_id in found]


def _has_any(conn: Connection, tenant_id: str) -> bool:
    return conn.execute(select(_t.id).where(_t.tenant_id == tenant_id).limit(1)).first() is not None
