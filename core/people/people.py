"""People and what they may do. Access is checked again wherever something they decided is carried out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Select, case, insert, select, update

from core.db.store import Tx
from core.errors import NotAllowed, NotFound
from core.identity import normalise_email
from core.people.tables import PersonRow

_people = PersonRow.__table__  # type: ignore[attr-defined]
Access = Literal["owner", "reviewer", "viewer"]
DECIDERS: tuple[Access, ...] = ("owner", "reviewer")


@dataclass(frozen=True, slots=True)
class Member:
    """One person of a tenant."""

    tenant_id: str
    id: str
    email: str
    name: str
    access: Access
    active: bool

    @property
    def may_decide(self) -> bool:
        """Say whether this person may decide, undo, release and repair."""
        return self.active and self.access in DECIDERS


def add_person(tx: Tx, member: Member, now: datetime) -> None:
    """Write a person; their address must be new in the tenant."""
    tx.conn.execute(
        insert(_people).values(
            tenant_id=member.tenant_id,
            id=member.id,
            email=member.email,
            email_folded=normalise_email(member.email),
            name=member.name,
            access=member.access,
            active=member.active,
            created_at=now,
        )
    )


def list_people(conn: Connection, tenant_id: str) -> list[Member]:
    """Answer a tenant's people, owners first."""
    rank = case({"owner": 0, "reviewer": 1}, value=_people.c.access, else_=2)
    return [member_of(row) for row in conn.execute(_of(tenant_id).order_by(rank, _people.c.email_folded))]


def find_person(conn: Connection, tenant_id: str, email: str) -> Member | None:
    """Answer the person with this address in the tenant, or None."""
    row = conn.execute(_of(tenant_id).where(_people.c.email_folded == normalise_email(email))).first()
    return None if row is None else member_of(row)


def get_person(conn: Connection, tenant_id: str, email: str) -> Member:
    """Answer the person with this address in the tenant, or raise NotFound."""
    member = find_person(conn, tenant_id, email)
    if member is None:
        raise NotFound(f"{email} is not a person of tenant {tenant_id}.")
    return member


def names_of(conn: Connection, tenant_id: str) -> dict[str, str]:
    """Answer the name of each person id of the tenant."""
    return {member.id: member.name for member in list_people(conn, tenant_id)}


def check_may_decide(member: Member) -> None:
    """Raise NotAllowed unless the person is active and an owner or reviewer."""
    if not member.active:
        raise NotAllowed(f"{member.email} is no longer active in tenant {member.tenant_id}.")
    if not member.may_decide:
        raise NotAllowed(f"{member.email} is a {member.access} and may not decide; ask an owner for access.")


def check_is_owner(member: Member) -> None:
    """Raise NotAllowed unless the person is active and an owner."""
    if not member.active or member.access != "owner":
        raise NotAllowed(f"Only an owner of tenant {member.tenant_id} may do this; {member.email} is not one.")


def _of(tenant_id: str) -> Select[tuple[str, str, str, str, Access, bool]]:
    return select(
        _people.c.tenant_id, _people.c.id, _people.c.email, _people.c.name, _people.c.access, _people.c.active
    ).where(_people.c.tenant_id == tenant_id)


def member_of(row: Any) -> Member:
    """Copy a row whose first columns are a member's."""
    return Member(*row[:6])


def change_access(tx: Tx, member: Member, *, access: Access | None = None, active: bool | None = None) -> None:
    """Change what a person may do, or whether they may act at all."""
    values: dict[str, object] = {}
    if access is not None:
        values["access"] = access
    if active is not None:
        values["active"] = active
    tx.conn.execute(
        update(_people).where(_people.c.tenant_id == member.tenant_id, _people.c.id == member.id).values(**values)
    )
