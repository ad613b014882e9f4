"""One question with what stands beside it: whose it is, who answered, and the role's window and reminder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, and_, bindparam, select

from core.catalog.tables import ConfigRow
from core.people.tables import PersonRow
from core.review.read import Approval, get_approval
from core.threads.rows import threads
from core.vault.sealing import Vault
from core.vault.subjects import open_person
from core.vault.tables import SubjectFields

_configs = ConfigRow.__table__  # type: ignore[attr-defined]
_people = PersonRow.__table__  # type: ignore[attr-defined]
_fields = SubjectFields.__table__  # type: ignore[attr-defined]
_BESIDE = (
    select(
        _configs.c.content,
        _fields.c.version,
        _fields.c.sealed,
        _people.c.name,
    )
    .select_from(
        threads.outerjoin(
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

    `window` and `reminder` are what an invite starts: how long it stands open, and how long before its end one
    reminder goes. None where the workflow has no such thing.
    """

    approval: Approval
    name: str | None
    by: str | None
    window: timedelta | None
    reminder: timedelta | None


def read_card(conn: Connection, vault: Vault, tenant_id: str, approval_id: str) -> Card:
    """Answer one card, or raise NotFound; another tenant's is not found either, nor one whose keys are gone."""
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
    role = beside.content or {}
    return Card(
        approval=approval,
        name=open_person(keys, beside.version, beside.sealed).name if beside.sealed is not None else None,
        by=beside.name,
        window=_hours(role.get("window_hours")),
        reminder=_hours(role.get("reminder_hours")),
    )


def _hours(count: int | None) -> timedelta | None:
    return None if count is None else timedelta(hours=count)
