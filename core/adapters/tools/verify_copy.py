"""Hold a copied table against its source: every row, value by value, under the new names."""

from __future__ import annotations

import msgspec

from core.adapters.tools.count_rows import checksum
from core.adapters.tools.database import attach, list_columns, opened
from core.adapters.tools.tool import FileName, Output, Place, TableName, Tool, ToolError


class VerifyCopy(msgspec.Struct, forbid_unknown_fields=True):
    """Which table, and how its columns were renamed: the name in the source to the name in the copy."""

    source: FileName
    database: FileName
    table: TableName
    names: dict[str, str] = {}


def run(place: Place, asked: VerifyCopy) -> Output:
    """Compare counts and checksums; columns that the copy has besides are left aside."""
    source = place.path(asked.source)
    with opened(place, asked.source):
        pass
    with opened(place, asked.database) as conn:
        attach(conn, source)
        before = [name for name, _ in list_columns(conn, asked.table, "source")]
        after = [asked.names.get(name, name) for name in before]
        missing = set(after) - {name for name, _ in list_columns(conn, asked.table)}
        if missing:
            raise ToolError("no_such_column", f"The copy of {asked.table} has no column {sorted(missing)[0]}.")
        theirs, ours = checksum(conn, "source", asked.table, before), checksum(conn, "main", asked.table, after)
    raw = f"source {theirs[0]} rows {theirs[1]}\ncopy   {ours[0]} rows {ours[1]}\n".encode()
    if theirs != ours:
        raise ToolError("differs", f"{asked.table} differs: {theirs[0]} rows in the source, {ours[0]} in the copy.")
    return Output(f"{asked.table} is whole: {ours[0]} rows, same checksum", raw, {f"{asked.table} verified": "yes"})


VERIFY_COPY = Tool("verify_copy", "Compare a copied table with its source, value by value.", VerifyCopy, run)
