"""One question with what stands beside it: whose it is, who answered, and the role's window and reminder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, bindparam, func, select

from core.catalog.tables import ConfigRow, RoleRow
from core.people.people import Member
from core.people.tables import PersonRow
from core.review.read import Approval, get_approval
from core.threads.rows import threads
from core.vault.sealing import Vault
from core.vault.subjects import ALIKE, find_person
from core.vault.tables import SubjectFields
from core.views.overrides import Overrides, read_overrides

_configs = ConfigRow.__table__  # type: ignore[attr-defined]
_roles = RoleRow.__table__  # type: ignore[attr-defined]
_people = PersonRow.__table__  # type: ignore[attr-defined]
_fields = SubjectFields.__table__  # type: ignore[attr-defined]
_alike = ALIKE.subquery()
_BESIDE = (
    select(
        select(func.aggregate_strings(_alike.c.thread_id, "\n")).scalar_subquery().label("alike"),
        _configs.c.content,
        _fields.c.version,
        _fields.c.sealed,
        _people.c.name,
        _roles.c.status,
    )
    .select_from(
        threads.outerjoin(_roles, and_(_roles.c.tenant_id == threads.c.tenant_id, _roles.c.id == threads.c.role_id))
        .outerjoin(
            _configs,
            and_(
                _configs.c.tenant_id == threads.c.tenant_id,
                _configs.c.role_id == threads.c.role_id,
                _configs.c.kind == "role",
                _configs.c.version == bindparam("role_version"),
            ),
        )
        .outerjoin(_fields, and_(_fields.c.tenant_id == threads.c.tenant_id, _fields.c.thread_id == threads.c.id))
        .outerjoin(_people, and_(_people.c.tenant_id == threads.c.tenant_id, _people.c.id == bindparam("person")))
    )
    .where(threads.c.tenant_id == bindparam("tenant"), threads.c.id == bindparam("thread"))
)


@dataclass(frozen=True, slots=True)
class Card:
    """One question. `by` is the name of who answered it, or gave the answer that no longer holds.

    `is_closing` says that its role is closed: an invite would be kept in. `overrides` is what the store knows of how
    whoever looks read the points under this rubric version; None where the question has no such.

    `window` and `reminder` are what an invite starts: how long it stands open, and how long before its end one
    reminder goes. None where the workflow has no such thing. `alike` are threads that may be the same person's.
    """

    approval: Approval
    name: str | None
    by: str | None
    window: timedelta | None
    reminder: timedelta | None
    is_closing: bool
    overrides: Overrides | None
    alike: tuple[str, ...] = ()


def read_card(conn: Connection, vault: Vault, member: Member, approval_id: str, now: datetime) -> Card:
    """Answer one card as somebody sees it, or raise NotFound.

    Another tenant's is not found either, nor one whose keys are gone.
    """
    tenant_id = member.tenant_id
    approval = get_approval(conn, vault, tenant_id, approval_id)
    beside = conn.execute(
        _BESIDE,
        {
            "tenant": tenant_id,
            "thread": approval.thread_id,
            "role_version": approval.basis.get("role"),
            "person": approval.decided_by or (approval.came_back or {}).get("by"),
        },
    ).one()
    keys = vault.keys(tenant_id, approval.thread_id)
    role, key = beside.content or {}, approval.facts.get("overrides")
    person = find_person(keys, beside.version, beside.sealed)
    return Card(
        approval=approval,
        name=None if person is None else person.name,
        by=beside.name,
        window=_hours(role.get("window_hours")),
        reminder=_hours(role.get("reminder_hours")),
        is_closing=beside.status == "closed",
        overrides=None if key is None else read_overrides(conn, vault, tenant_id, key, member.id, now),
        alike=tuple(sorted((beside.alike or "").split())),
    )


def _hours(count: int | None) -> timedelta | None:
    return None if count is None else timedelta(hours=count)
