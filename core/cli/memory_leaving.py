"""Change when records expire, with who leaves when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.bootstrap import App
from core.cli.edge import columns, say
from core.clock import iso
from core.desk.desk import Actor
from core.desk.memory_expiry import Leaving, change_expiry, preview_expiry
from core.errors import BadInput, NotFound
from core.memory.reading import find_rows
from core.steps import Json


def say_leaving(
    app: App, actor: Actor, memory_ids: Sequence[str], at: datetime, *, preview: bool, as_json: bool
) -> None:
    """Change the end of these records, or only show it, and say what becomes of each."""
    if not memory_ids:
        raise BadInput("Name the records whose end --at is; a list of them is in memory list.")
    with app.read() as conn:
        seen = {row.id: row.version for row in find_rows(conn, actor.tenant_id, memory_ids)}
    missing = [one for one in memory_ids if one not in seen]
    if missing:
        raise NotFound(f"There is no memory {missing[0]!r} in tenant {actor.tenant_id}.")
    if preview:
        found = app.look(actor, "memory expire", lambda conn: preview_expiry(conn, actor, seen, at))
    else:
        found = app.act(actor, "memory expire", lambda tx: change_expiry(tx, actor, seen, at))
    shaped = [_shape(one, is_done=not preview and one.why_not is None) for one in found]
    rows = [(one.id, one.kind, iso(one.leaves_at), one.why_not or f"leaves {iso(one.would_leave_at)}") for one in found]
    say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing found."))


def _shape(one: Leaving, *, is_done: bool) -> dict[str, Json]:
    return {
        "id": one.id,
        "kind": one.kind,
        "expires_at": iso(one.leaves_at),
        "would_expire_at": iso(one.would_leave_at),
        "latest_at": iso(one.latest_at),
        "why_not": one.why_not,
        "changed": is_done,
    }
