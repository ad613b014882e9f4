"""docs/schema.md: every table, column and view of the database, from the live metadata and the data map."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from sqlalchemy import CheckConstraint, Column, ForeignKeyConstraint, Index, Table

from core.db.base import Base
from core.effects.tables import GUARD_TRIGGER
from core.nudges.tables import NUDGE_TRIGGERS
from core.retention import tables_of_rooms
from core.retention.datamap import Entry, map_columns
from core.views import lab

HEAD = """<!-- Written by `make docs`; change the tables or the data map, never this page. -->

# The database

Each room owns its tables: only that room writes them (docs/adr/0005). A time is UTC text to the millisecond, so that it
sorts as time does. Sealed bytes open only under the keys of their thread. "Kept until" names the retention rule;
`by_row` means that the row carries its own. What erases a field, and every file of a home, stands on the same data
map (`core/retention`).
"""
_TYPES = {
    "AutoString": "text", "Instant": "time", "JsonText": "JSON", "JsonMap": "JSON", "Sealed": "bytes",
    "Integer": "integer", "BigInteger": "integer", "Boolean": "yes or no", "Date": "day", "Float": "number",
    "LargeBinary": "bytes",
}  # fmt: skip
_COLUMNS = "| column | type | form | kind | whose | kept until |\n| --- | --- | --- | --- | --- | --- |"


def render() -> str:
    """Answer the page."""
    parts = [HEAD]
    for room in tables_of_rooms.__all__:
        parts.append(f"## Room `{room}`\n")
        parts += [_table(schema) for schema in tables_of(room)]
    return "\n".join([*parts, _guard(), _nudging(), *_views()])


def tables_of(room: str) -> list[type[Base]]:
    """Answer the table classes of a room, in the order they are written in."""
    module = getattr(tables_of_rooms, room)
    return [one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == module.__name__]


def _table(schema: type[Base]) -> str:
    table: Table = schema.__table__  # type: ignore[attr-defined]
    mapped = {one.field: one for one in map_columns() if one.store == table.name}
    rows = [_column(column, mapped[column.name]) for column in table.columns]
    says = " ".join(inspect.cleandoc(schema.__doc__ or "").split())
    rules = [f"- {line}" for line in _rules(table)]
    return "\n".join([f"### `{table.name}`\n", f"{says}\n", _COLUMNS, *rows, "", *rules, ""])


def _column(column: Column[Any], entry: Entry) -> str:
    kind = _TYPES[type(column.type).__name__] + (", or null" if column.nullable else "")
    return f"| {column.name} | {kind} | {entry.form} | {entry.kind} | {entry.whose} | {entry.rule} |"


def _rules(table: Table) -> Iterator[str]:
    yield f"key: {', '.join(column.name for column in table.primary_key)}"
    for constraint in sorted(table.constraints, key=lambda one: str(one.name)):
        if isinstance(constraint, ForeignKeyConstraint):
            there = [element.target_fullname for element in constraint.elements]
            yield f"belongs to: {', '.join(constraint.column_keys)} → {', '.join(there)}"
        elif isinstance(constraint, CheckConstraint):
            yield f"must hold: `{constraint.sqltext}`"
    for index in sorted(table.indexes, key=lambda one: str(one.name)):
        yield _index(index)


def _index(index: Index) -> str:
    unique = "unique index" if index.unique else "index"
    where = index.dialect_options["sqlite"].get("where")
    only = f", where `{where}`" if where is not None else ""
    return f"{unique} `{index.name}`: {', '.join(column.name for column in index.columns)}{only}"


def _guard() -> str:
    return (
        "## The ledger's guard\n\nThe database refuses by itself what no code path may do.\n\n"
        f"```sql\n{GUARD_TRIGGER['sqlite'].strip()}\n```\n"
    )


def _nudging() -> str:
    said = "\n".join(one.strip() for one in NUDGE_TRIGGERS["sqlite"].values())
    return (
        "## What an engine outside of the database is told\n\nWhile Temporal drives the home, whatever makes a "
        f"thread due leaves a nudge in the same transaction ([Temporal](temporal.md)).\n\n```sql\n{said}\n```\n"
    )


def _views() -> Iterator[str]:
    mapping = inspect.cleandoc(lab.__doc__ or "").split("\n", 1)[1].strip()
    yield f"## The third seed's schema, as read-only views\n\n{mapping}\n"
    for name, query in lab.VIEWS.items():
        yield f"### `{name}`\n\n```sql\n{query.strip()}\n```\n"
