"""What an applicant answers on the page of their letter: a slot, or that they would rather not go on.

The letter's token says for whom. What is received when, under the write lock, decides: before the deadline it counts,
from the deadline on it is stored late and a person sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal

from core.clock import iso
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.desk.outside import Outside, take_event
from core.people.accounts import note_failure
from core.people.people import Member
from core.people.tenants import TenantRow
from core.threads.links import take_slot
from core.views.invitation import Invitation, read_invitation

DOOR = "the letter's link"
Became = Literal["stored", "late", "stands", "not_offered"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What was pressed: a slot, or None for a withdrawal. `token` is the page's own."""

    token: str
    slot_at: datetime | None


def answer_invitation(
    tx: Tx, desk: Desk, tenant: TenantRow, invitation: Invitation, reply: Reply, now: datetime
) -> tuple[Became, Invitation]:
    """Store an answer, and say what became of it and what the page shows now; an answer that stands is not changed."""
    if invitation.stands in ("booked", "withdrawn", "closed"):
        return "stands", invitation
    if reply.slot_at is not None and reply.slot_at not in invitation.free:
        return "not_offered", invitation
    link = invitation.link
    actor = Actor(tenant, _applicant(tenant.id), now, DOOR)  # who holds the letter answers it, and tells nothing else
    told = _withdrawal(reply) if reply.slot_at is None else _booking(reply, reply.slot_at)
    take_event(tx, desk, actor, link.thread_id, told)
    if invitation.stands == "over":
        return "late", invitation
    if reply.slot_at is not None:
        take_slot(tx, link, reply.slot_at)
    return "stored", read_invitation(tx.conn, desk.vault, link, now) or invitation


def _booking(reply: Reply, slot_at: datetime) -> Outside:
    return Outside("booking", {"slot": iso(slot_at)}, _key(reply))


def _withdrawal(reply: Reply) -> Outside:
    return Outside("withdraw", {}, _key(reply))


def _key(reply: Reply) -> str:
    return sha256(f"{reply.token} {iso(reply.slot_at)}".encode()).hexdigest()


def _applicant(tenant_id: str) -> Member:
    return Member(tenant_id, "applicant", "", "The applicant", "viewer", active=False)


def note_refused_answer(tx: Tx, tenant_id: str, name_hash: str, failures: int, now: datetime) -> None:
    """Count an answer that could not be taken; after a few its page waits. `now` is the machine's time."""
    note_failure(tx, tenant_id, name_hash, failures, now)
