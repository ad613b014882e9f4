"""Remove a demo's role with all that came of it. Erasing a person's data is another thing and is not done here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select

from core.catalog.configs import get_config
from core.catalog.roles import find_role
from core.db.base import Base
from core.db.store import Tx
from core.desk.desk import Actor
from core.effects.ahead import list_held
from core.effects.plan import list_entries
from core.errors import BadInput
from core.memory.tables import MemoryRow
from core.receipts.keep import PREFIX
from core.receipts.tables import ReceiptRow
from core.threads.rows import threads

_receipts = ReceiptRow.__table__  # type: ignore[attr-defined]
_memories = MemoryRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Removed:
    """What is left to delete outside the database once the transaction commits."""

    threads: tuple[str, ...]
    blobs: tuple[str, ...]
    effects: tuple[str, ...]


def remove_role(tx: Tx, actor: Actor, role_id: str) -> Removed:
    """Delete a demo's role and its threads; refuses where anybody else applied in this tenant."""
    role = find_role(tx.conn, actor.tenant_id, role_id)
    if role is None:
        return Removed((), (), ())
    if not get_config(tx.conn, actor.tenant_id, role_id, "role", 1).content.get("demo"):
        raise BadInput(f"Role {role_id} was not written by the demo; nothing was removed.")
    found = tx.conn.execute(
        select(threads.c.id, threads.c.subject_id, threads.c.role_id).where(threads.c.tenant_id == actor.tenant_id)
    ).all()
    if role.applications > DEMO_SIZE or any(row.role_id != role_id for row in found):
        raise BadInput(f"Tenant {actor.tenant_id} has applicants besides the demo's; nothing was removed.")
    removed = _removed(tx, actor.tenant_id, [row.id for row in found])
    _delete_rows(tx, actor.tenant_id, role_id)
    actor.note(tx, "demo_removed", None, role=role_id, threads=len(found))
    return removed


def remove_job(tx: Tx, actor: Actor, thread_id: str) -> Removed:
    """Delete a demo's job with all that its tenant keeps; refuses where that tenant has anything else."""
    found = list(tx.conn.execute(select(threads.c.id).where(threads.c.tenant_id == actor.tenant_id)).scalars())
    if any(one != thread_id for one in found):
        raise BadInput(f"Tenant {actor.tenant_id} has threads besides {thread_id}; nothing was removed.")
    removed = _removed(tx, actor.tenant_id, found)
    _delete_rows(tx, actor.tenant_id, "")
    actor.note(tx, "demo_removed", thread_id, threads=len(found))
    return removed


def remove_all(tx: Tx, actor: Actor) -> Removed:
    """Delete all that a workshop's team has; its people stay signed in, and it stays a team."""
    found = list(tx.conn.execute(select(threads.c.id).where(threads.c.tenant_id == actor.tenant_id)).scalars())
    removed = _removed(tx, actor.tenant_id, found)
    _delete_rows(tx, actor.tenant_id, None, but_not=_OF_TEAM)
    actor.note(tx, "team_reset", None, threads=len(found))
    return removed


def _removed(tx: Tx, tenant_id: str, thread_ids: Sequence[str]) -> Removed:
    refs = tx.conn.execute(select(_receipts.c.id).where(_receipts.c.tenant_id == tenant_id)).scalars()
    places = tx.conn.execute(select(_memories.c.thread_id).where(_memories.c.tenant_id == tenant_id)).scalars()
    return Removed(
        threads=tuple(dict.fromkeys([*thread_ids, *places])),
        blobs=tuple(ref.removeprefix(PREFIX) for ref in refs),
        effects=(*(entry.key for entry in list_entries(tx.conn, tenant_id)), *list_held(tx.conn, tenant_id)),
    )


DEMO_SIZE = 150
_OF_ROLE = ("roles", "configs")
_OF_TEAM = ("passwords", "sessions", "sign_in_codes", "teams")


def _delete_rows(tx: Tx, tenant_id: str, role_id: str | None, *, but_not: Sequence[str] = ()) -> None:
    """Delete children before parents: the tables in the reverse of the order in which they depend on each other.

    Without a role's id every role goes.
    """
    for table in reversed(Base.metadata.sorted_tables):
        kept = table.name in ("tenants", "people", *but_not)
        if "tenant_id" not in table.c or table.name.startswith("audit_") or kept:
            continue
        statement = delete(table).where(table.c.tenant_id == tenant_id)
        if table.name in _OF_ROLE and role_id is not None:
            statement = statement.where((table.c.id if table.name == "roles" else table.c.role_id) == role_id)
        tx.conn.execute(statement)
