"""Look at the tables and columns of a database."""

from __future__ import annotations

import msgspec

from core.adapters.tools.database import list_columns, list_tables, opened
from core.adapters.tools.tool import FileName, Output, Place, Tool


class InspectSchema(msgspec.Struct, forbid_unknown_fields=True):
    """Which database."""

    database: FileName


def run(place: Place, asked: InspectSchema) -> Output:
    """List every table with its columns."""
    with opened(place, asked.database) as conn:
        tables = {table: list_columns(conn, table) for table in list_tables(conn)}
    lines = [f"{table}({', '.join(f'{name} {kind}'.strip() for name, kind in cols)})" for table, cols in tables.items()]
    facts = {f"{asked.database} tables": ", ".join(tables) or "none"}
    line = f"{asked.database} holds {', '.join(tables)}" if tables else f"{asked.database} is empty"
    return Output(line, "\n".join(lines).encode(), facts)


INSPECT_SCHEMA = Tool("inspect_schema", "List the tables and columns of a SQLite file.", InspectSchema, run)
