"""The database's own triggers: nudges, and the ledger's guard that lets an effect out only as it was approved."""

from __future__ import annotations

from sqlalchemy import Connection

from core.effects.tables import GUARD_NAME, GUARD_TRIGGER
from core.nudges.tables import NUDGE_TRIGGERS
from core.views.checks.look import Findings

_SQLITE = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?"
_POSTGRES = """
SELECT f.prosrc FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
WHERE t.tgname = %s AND t.tgenabled IN ('O', 'A') AND NOT t.tgisinternal
"""


def check_guard(conn: Connection, found: Findings) -> None:
    """Expect each trigger to be there, switched on, and to say what this code's revision made it say."""
    dialect = conn.dialect.name
    for name, made in {GUARD_NAME: GUARD_TRIGGER[dialect], **NUDGE_TRIGGERS[dialect]}.items():
        held = conn.exec_driver_sql(_SQLITE if dialect == "sqlite" else _POSTGRES, (name,)).scalar()
        if found.expect(held is not None, f"trigger {name}: is not in the database, or is switched off."):
            said, meant = (" ".join(str(text).split()) for text in (held, made))
            found.expect(said in meant, f"trigger {name}: does not say what it was made to say.")
