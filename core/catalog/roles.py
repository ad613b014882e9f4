"""Roles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from sqlalchemy import Connection, insert, select, update

from core.catalog.configs import add_config
from core.catalog.tables import RoleRow
from core.clock import iso
from core.db.store import Tx
from core.errors import BadInput, NotFound, RoleClosed
from core.steps import Json

_roles = RoleRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Role:
    """A role: its id, title, whether it is open, and how many applied."""

    id: str
    title: str
    status: str
    applications: int
    created_at: datetime
    closed_at: datetime | None


def add_role(
    tx: Tx,
    tenant_id: str,
    role_id: str,
    contents: Mapping[str, Mapping[str, Json]],
    *,
    by: str,
    now: datetime,
) -> None:
    """Write a role with version 1 of each kind of configuration in `contents`; `role` holds its title."""
    tx.conn.execute(
        insert(_roles).values(
            tenant_id=tenant_id,
            id=role_id,
            title=contents["role"]["title"],
            status="open",
            applications=0,
            created_at=now,
        )
    )
    for kind, content in contents.items():
        add_config(tx, tenant_id, role_id, kind, content, by=by, now=now)


def list_roles(conn: Connection, tenant_id: str) -> list[Role]:
    """Answer the tenant's roles, by id."""
    rows = conn.execute(
        select(
            _roles.c.id,
            _roles.c.title,
            _roles.c.status,
            _roles.c.applications,
            _roles.c.created_at,
            _roles.c.closed_at,
        )
        .where(_roles.c.tenant_id == tenant_id)
        .order_by(_roles.c.id)
    )
    return [Role(*row) for row in rows]


def find_role(conn: Connection, tenant_id: str, role_id: str) -> Role | None:
    """Answer one role, or None."""
    return next((role for role in list_roles(conn, tenant_id) if role.id == role_id), None)


def get_role(conn: Connection, tenant_id: str, role_id: str) -> Role:
    """Answer one role, or raise NotFound."""
    role = find_role(conn, tenant_id, role_id)
    if role is None:
        raise NotFound(f"There is no role {role_id!r}; `role list` shows those there are.")
    return role


def close(tx: Tx, tenant_id: str, role_id: str, now: datetime) -> None:
    """Write that a role is closed, and when: what is kept until a role closes counts from there.

    Raises NotFound, or RoleClosed where it is closed already.
    """
    refuse_closed(tx.conn, tenant_id, role_id)
    _set(tx, tenant_id, role_id, status="closed", closed_at=now)


def refuse_closed(conn: Connection, tenant_id: str, role_id: str) -> None:
    """Raise NotFound, or RoleClosed where the role is closed already."""
    role = get_role(conn, tenant_id, role_id)
    if role.status != "open":
        raise RoleClosed(f"Role {role_id} is closed already, since {iso(role.closed_at)}; nothing was changed.")


def reopen(tx: Tx, tenant_id: str, role_id: str) -> None:
    """Write that a role is open; raises NotFound, or BadInput where it is."""
    if get_role(tx.conn, tenant_id, role_id).status == "open":
        raise BadInput(f"Role {role_id} is open already; nothing was changed.")
    _set(tx, tenant_id, role_id, status="open", closed_at=None)


def _set(tx: Tx, tenant_id: str, role_id: str, **values: object) -> None:
    tx.conn.execute(update(_roles).where(_roles.c.tenant_id == tenant_id, _roles.c.id == role_id).values(**values))


def free_id(wanted: str, taken: Collection[str]) -> str:
    """Answer the id if it is free, else the first of `role-14-2`, `role-14-3`, … that is."""
    later = (f"{wanted}-{number}" for number in count(2))
    return wanted if wanted not in taken else next(one for one in later if one not in taken)


def take_application_number(tx: Tx, tenant_id: str, role_id: str) -> int:
    """Hand out the next application number of an open role, or raise RoleClosed."""
    here = (_roles.c.tenant_id == tenant_id) & (_roles.c.id == role_id)
    taken = tx.conn.execute(
        update(_roles)
        .where(here, _roles.c.status == "open")
        .values(applications=_roles.c.applications + 1)
        .returning(_roles.c.applications)
    ).scalar_one_or_none()
    if taken is None:
        get_role(tx.conn, tenant_id, role_id)
        raise RoleClosed(f"Role {role_id} is closed; open it again before you add to it.")
    return int(taken)
