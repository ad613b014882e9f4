"""The orders that the list of runs has, and a page cut out of one: after a line, or before it.

An order is shelves, one after another, and on each the runs by one column and then by id. Those that go on stand on the
first shelf; each shelf is walked along an index, one status at a time where the index begins with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, String, and_, literal, or_, select, type_coerce, union_all

from core.errors import BadInput
from core.threads.rows import threads
from core.threads.tables import ENDED, STATUSES

_t = threads.c
OPEN = tuple(status for status in STATUSES if status not in ENDED)


class Row(NamedTuple):
    """What of a run its place in the list rests on; times are text as they are stored."""

    id: str
    status: str
    workflow: str
    role_id: str | None
    owner_id: str | None
    since_at: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the list, and whether the page lies before it. It is read off an address and holds no secret."""

    shelf: int
    value: str
    id: str
    is_before: bool = False

    def __str__(self) -> str:
        """Write it for an address."""
        return "~".join(("-" if self.is_before else "+", str(self.shelf), self.value, self.id))


def read_place(text: str) -> Place | None:
    """Read a place off an address; None for none. Raises BadInput for what is none."""
    if not text:
        return None
    side, _, rest = text.partition("~")
    shelf, _, rest = rest.partition("~")
    value, mark, thread_id = rest.partition("~")
    if side not in ("+", "-") or not shelf.isdecimal() or len(shelf) > 1 or not mark:
        raise BadInput("That is no place in the list of runs; it begins at its first page.")
    return Place(int(shelf), value, thread_id, side == "-")


@dataclass(frozen=True, slots=True)
class Order:
    """One order: the shelf a run stands on, the column it is ordered by there, and the index it is walked along.

    `arms` are the conditions under which the index is walked, by shelf.
    """

    column: ColumnElement[Any]
    of: Callable[[Row], str]
    index: str | None
    arms: Mapping[int, Sequence[ColumnElement[bool]]]
    shelf: Callable[[Row], int]


def _by_status(shelves: Mapping[int, Sequence[str]]) -> Mapping[int, Sequence[ColumnElement[bool]]]:
    return {number: [_t.status == status for status in statuses] for number, statuses in shelves.items()}


_PLACE = {status: number for number, status in enumerate(STATUSES)}
_WHOLE = {0: [_t.id.is_not(None)]}


def _grouped(column: Any, name: str, index: str) -> Order:
    """Order by a column that may be empty; where it is, the run stands at the end."""
    arms = {0: [column.is_not(None)], 1: [column.is_(None)]}
    return Order(column, lambda row: getattr(row, name) or "", index, arms, lambda row: int(getattr(row, name) is None))


SORTS: Mapping[str, Order] = {
    "waited": Order(
        type_coerce(_t.since_at, String), lambda row: row.since_at, "ix_threads_list",
        _by_status({0: OPEN, 1: ENDED}), lambda row: int(row.status in ENDED),
    ),
    "status": Order(
        type_coerce(_t.since_at, String), lambda row: row.since_at, "ix_threads_list",
        _by_status({number: [status] for status, number in _PLACE.items()}), lambda row: _PLACE[row.status],
    ),
    "opened": Order(
        type_coerce(_t.created_at, String), lambda row: row.created_at, "ix_threads_opened", _WHOLE, lambda _: 0
    ),
    "run": Order(_t.id, lambda row: row.id, None, _WHOLE, lambda _: 0),
    "workflow": Order(_t.workflow, lambda row: row.workflow, "ix_threads_workflow", _WHOLE, lambda _: 0),
    "role": _grouped(_t.role_id, "role_id", "ix_threads_role"),
    "owner": _grouped(_t.owner_id, "owner_id", "ix_threads_owner"),
}  # fmt: skip
Cut = tuple[list[Row], Place | None, Place | None]


def ordered(rows: Sequence[Row], sort: str, place: Place | None, size: int, *, is_descending: bool) -> Cut:
    """Put few runs in order and cut a page out, with the places before and after it."""
    order = SORTS[sort]
    stand = sorted(sorted(rows, key=lambda row: (order.of(row), row.id), reverse=is_descending), key=order.shelf)
    start = 0
    if place is not None:
        passed = sum(_is_past(order, row, place, is_descending=is_descending) for row in stand)
        start = max(0, passed - size) if place.is_before else passed
    page = stand[start : start + size]
    return page, *_ends(order, page, is_first=start == 0, is_last=start + size >= len(stand))


def _is_past(order: Order, row: Row, place: Place, *, is_descending: bool) -> bool:
    """Say whether a row stands before a page that begins after a place, or lies before it."""
    here, there = (order.of(row), row.id), (place.value, place.id)
    if order.shelf(row) != place.shelf:
        return order.shelf(row) < place.shelf
    if here == there:
        return not place.is_before
    return here > there if is_descending else here < there


def walk(  # noqa: PLR0913 - whose, which, in which order, from where, how far
    conn: Connection, tenant_id: str, where: Sequence[ColumnElement[bool]], sort: str, place: Place | None, size: int,
    *, status: str | None, is_descending: bool,
) -> Cut:  # fmt: skip
    """Walk an index from a place until a page is full, with the places before and after it."""
    order = SORTS[sort]
    backwards = place is not None and place.is_before
    falls = is_descending != backwards
    arms = [
        _arm(order, shelf, [_t.tenant_id == tenant_id, arm, *where], place, status, size, falls=falls)
        for shelf, conditions in order.arms.items()
        for arm in conditions
        if (place is None or (shelf <= place.shelf if backwards else shelf >= place.shelf))
    ]
    every = union_all(*(select(one.subquery()) for one in arms)).subquery()
    by = [every.c.value.desc(), every.c.id.desc()] if falls else [every.c.value, every.c.id]
    shelf_first = every.c.shelf.desc() if backwards else every.c.shelf
    found = conn.execute(select(every).order_by(shelf_first, *by).limit(size + 1)).all()
    rows = [Row(*row[: len(Row._fields)]) for row in found]
    more = len(rows) > size
    page = rows[:size][::-1] if backwards else rows[:size]
    is_first, is_last = (not more, False) if backwards else (place is None, not more)
    return page, *_ends(order, page, is_first=is_first, is_last=is_last)


def _arm(  # noqa: PLR0913 - as above
    order: Order, shelf: int, where: list[ColumnElement[bool]], place: Place | None, status: str | None, size: int,
    *, falls: bool,
) -> Select[Any]:  # fmt: skip
    column = order.column
    query = select(
        _t.id, _t.status, _t.workflow, _t.role_id, _t.owner_id, type_coerce(_t.since_at, String).label("since_at"),
        type_coerce(_t.created_at, String).label("created_at"), literal(shelf).label("shelf"), column.label("value"),
    ).where(*where)  # fmt: skip
    if status is not None:
        query = query.where(_t.status == status)
    if place is not None and place.shelf == shelf:
        beyond, tied = (column < place.value, _t.id < place.id) if falls else (column > place.value, _t.id > place.id)
        within = column <= place.value if falls else column >= place.value
        query = query.where(within, or_(beyond, and_(column == place.value, tied)))
    if order.index is not None:
        query = query.with_hint(threads, f"INDEXED BY {order.index}", "sqlite")
    return query.order_by(*((column.desc(), _t.id.desc()) if falls else (column, _t.id))).limit(size + 1)


def _ends(order: Order, page: Sequence[Row], *, is_first: bool, is_last: bool) -> tuple[Place | None, Place | None]:
    if not page:
        return None, None
    first, last = page[0], page[-1]
    before = None if is_first else Place(order.shelf(first), order.of(first), first.id, is_before=True)
    after = None if is_last else Place(order.shelf(last), order.of(last), last.id)
    return before, after
