"""Insert or change: the one statement that SQLAlchemy writes apart for each database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


class Upsert:
    """Inserts rows; where the key is taken, changes the named columns instead.

    `changes` maps a column to an SQL expression; a column without one takes the new row's value.
    """

    def __init__(self, table: Table, key: Sequence[str], columns: Sequence[str], **changes: Any) -> None:
        self._by_dialect = {
            name: _build(insert(table), key, columns, changes)
            for name, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
        }

    def run(self, conn: Connection, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
        """Run it for one row or many."""
        conn.execute(self._by_dialect[conn.dialect.name], rows)


def _build(statement: Any, key: Sequence[str], columns: Sequence[str], changes: Mapping[str, Any]) -> Any:
    values = {name: changes.get(name, statement.excluded[name]) for name in columns}
    return statement.on_conflict_do_update(index_elements=list(key), set_=values)
