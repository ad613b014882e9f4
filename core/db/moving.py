"""Copy every row of one database into another, empty one, whatever kinds they are.

What is stored is copied as it is stored: a text stays that text to the byte, so that every hash and seal still fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, Table, column, func, insert, select, table, type_coerce
from sqlalchemy.types import TypeDecorator

from core.db.store import Store

BATCH = 1_000


def copy_rows(source: Store, target: Store, tables: Sequence[Table], left_out: Sequence[str]) -> dict[str, int]:
    """Copy these tables in their order and answer how many rows each has; nobody writes to the source meanwhile.

    All of it is one transaction of the target: it holds everything or nothing.
    """
    counts: dict[str, int] = {}
    with source.write() as reading, target.write() as writing:
        for one in tables:
            if one.name not in left_out:
                counts[one.name] = _copy(reading.conn, writing.conn, one)
        for name, count in counts.items():
            found = writing.conn.execute(select(func.count()).select_from(table(name))).scalar_one()
            assert found == count, f"{name} has {found} rows and not {count}"  # noqa: S101 - nothing is committed then
    return counts


def _copy(source: Connection, target: Connection, one: Table) -> int:
    plain = table(one.name, *(column(each.name, _plain(each)) for each in one.columns))
    # Damaged rows are copied as damaged: read by its own type, a time that nobody can read would come back as another.
    query = select(*(type_coerce(each, _plain(each)).label(each.name) for each in one.columns))
    count = 0
    for batch in source.execute(query).partitions(BATCH):
        target.execute(insert(plain), [dict(row._mapping) for row in batch])
        count += len(batch)
    return count


def _plain(each: Column[Any]) -> Any:
    return each.type.impl_instance if isinstance(each.type, TypeDecorator) else each.type
