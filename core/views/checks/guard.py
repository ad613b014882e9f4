"""The database's own guard: the trigger that lets an effect out only as it was approved."""

from __future__ import annotations

from sqlalchemy import Connection

from core.effects.tables import GUARD_NAME, GUARD_TRIGGER
from core.views.checks.look import Findings

_SQLITE = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ? AND tbl_name = 'effects'"
_POSTGRES = """
SELECT f.prosrc FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
WHERE t.tgname = %s AND t.tgrelid = 'effects'::regclass AND t.tgenabled IN ('O', 'A') AND NOT t.tgisinternal
"""


def check_guard(conn: Connection, found: Findings) -> None:
    """Expect the trigger to be there, switched on, and to say what this code's revision made it say."""
    dialect = conn.dialect.name
    held = conn.exec_driver_sql(_SQLITE if dialect == "sqlite" else _POSTGRES, (GUARD_NAME,)).scalar()
    if found.expect(held is not None, f"trigger {GUARD_NAME}: is not in the database, or is switched off."):
        said, meant = (" ".join(str(text).split()) for text in (held, GUARD_TRIGGER[dialect]))
        found.expect(said in meant, f"trigger {GUARD_NAME}: does not say what it was made to say.")
