"""Copy the rows of one database into another, whatever kinds they are, and prove that they arrived.

What is stored is copied as it is stored: a text stays that text to the byte, so that every hash and seal still fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Table, column, insert, select, table, type_coerce
from sqlalchemy.types import TypeDecorator

BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Counted:
    """What a table holds: its rows, and a hash of them that does not depend on their order (hex)."""

    rows: int
    hash: str


def copy_table(source: Connection, target: Connection, one: Table) -> Counted:
    """Copy a table's rows into the same table of another database, empty there, and answer what was copied."""
    plain = table(one.name, *(column(each.name, _plain(each)) for each in one.columns))
    tally = _Tally()
    for batch in _batches(source, one):
        target.execute(insert(plain), [dict(row) for row in batch])
        tally.add(batch)
    return tally.counted()


def count_table(conn: Connection, one: Table) -> Counted:
    """Read a table whole and answer what it holds."""
    tally = _Tally()
    for batch in _batches(conn, one):
        tally.add(batch)
    return tally.counted()


class _Tally:
    """Rows and the sum of their hashes: two databases order the same texts in two ways."""

    def __init__(self) -> None:
        self._rows = self._sum = 0

    def add(self, batch: list[Any]) -> None:
        for row in batch:
            stored = msgspec.json.encode([_stored(value) for value in row.values()])
            self._sum += int.from_bytes(sha256(stored).digest())
        self._rows += len(batch)

    def counted(self) -> Counted:
        return Counted(self._rows, f"{self._sum % 2**256:064x}")


def _stored(value: Any) -> Any:
    """Answer a value as both kinds of database have it: SQLite has no truth values, and no own kind of text."""
    if isinstance(value, bool):
        return int(value)
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value


def _batches(conn: Connection, one: Table) -> Iterator[list[Any]]:
    # Damaged rows are copied as damaged: read by its own type, a time that nobody can read would come back as another.
    query = select(*(type_coerce(each, _plain(each)).label(each.name) for each in one.columns))
    for batch in conn.execute(query).mappings().partitions(BATCH):
        yield list(batch)


def _plain(each: Column[Any]) -> Any:
    return each.type.impl_instance if isinstance(each.type, TypeDecorator) else each.type
