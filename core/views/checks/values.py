"""Stored values: times that are times, JSON that is JSON. One that is not is in no other row's way, and is named."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Column, Connection, Table, literal_column, select

from core.clock import read_instant, write_instant
from core.db.base import Base
from core.db.types import Instant, JsonMap, JsonText
from core.errors import BadInput
from core.retention import tables_of_rooms
from core.views.checks.look import Findings

_SAID: dict[type, str] = {Instant: "a time", JsonMap: "JSON", JsonText: "JSON"}
assert tables_of_rooms.__all__  # noqa: S101 - every room's tables are loaded


def check_values(conn: Connection, tenant_id: str | None, found: Findings) -> None:
    """Expect every time and every JSON text of a tenant's rows, or (None) of rows without a tenant, to be readable."""
    for table in Base.metadata.sorted_tables:
        if ("tenant_id" in table.c) == (tenant_id is not None) and not table.name.startswith("audit_"):
            _check_table(conn, table, tenant_id, found)


def _check_table(conn: Connection, table: Table, tenant_id: str | None, found: Findings) -> None:
    columns = [column for column in table.columns if type(column.type) in _SAID]
    if not columns:
        return
    named = [column for column in table.primary_key if column.name != "tenant_id"]
    query = select(*named, *(literal_column(column.name) for column in columns)).select_from(table)
    if tenant_id is not None:
        query = query.where(table.c.tenant_id == tenant_id)
    for row in conn.execute(query.order_by(*named)):
        for column, value in zip(columns, row[len(named) :], strict=True):
            if value is not None:
                found.expect(*_fits(column, value, row, len(named)))


def _fits(column: Column[Any], value: str, row: Any, named: int) -> tuple[bool, str]:
    kind = type(column.type)
    holds = _is_instant(value) if kind is Instant else read_json(value, dict if kind is JsonMap else object) is not None
    where = "#".join(str(part) for part in row[:named])
    return holds, f"{column.table.name}.{column.name} of {where}: is not {_SAID[kind]} that can be read."


def _is_instant(value: str) -> bool:
    try:
        return write_instant(read_instant(value)) == value
    except BadInput:
        return False


def read_json(value: object, shape: type) -> Any:
    """Answer what a stored JSON text says, or None where it says nothing of that shape."""
    try:
        read = json.loads(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError):
        return None
    return read if isinstance(read, shape) else None
