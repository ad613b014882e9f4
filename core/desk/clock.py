"""A fixture tenant's clock, moved forward by an owner: by a span, or to what is due next."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.clock import iso
from core.db.store import Tx
from core.desk.desk import Actor
from core.duties.duties import next_due_at
from core.errors import ClockIsHeld, ClockIsReal
from core.people.people import check_is_owner
from core.people.tenants import get_tenant, move_clock
from core.threads.claim import next_wake


def advance_clock(tx: Tx, actor: Actor, span: timedelta, *, held_at: datetime | None) -> datetime:
    """Move the clock forward by a span and answer its new time; `held_at` is where DAYBOOK_NOW holds every clock.

    Raises NotAllowed for anybody but an owner, ClockIsReal, ClockIsHeld, and BadInput past 2999.
    """
    return _move(tx, actor, _read_clock(tx, actor, held_at) + span, held_at)


def jump_clock(tx: Tx, actor: Actor, *, held_at: datetime | None) -> datetime:
    """Move the clock to the next due time of a run or a duty and answer it; it stands where that has come.

    Raises as `advance_clock` does.
    """
    now = _read_clock(tx, actor, held_at)
    ahead = [at for at in (next_wake(tx, actor.tenant_id), next_due_at(tx.conn, actor.tenant_id)) if at is not None]
    return _move(tx, actor, max(min(ahead), now), held_at) if ahead else now


def _read_clock(tx: Tx, actor: Actor, held_at: datetime | None) -> datetime:
    """Answer where the clock stands now: another press may have moved it since the page was drawn."""
    check_is_owner(actor.member)
    tenant = get_tenant(tx.conn, actor.tenant_id)
    if not tenant.is_fixture:
        raise ClockIsReal(f"Tenant {actor.tenant_id} runs on the real clock, which nobody can move.")
    if held_at is not None:
        raise ClockIsHeld(f"DAYBOOK_NOW holds every clock at {iso(held_at)}; take it away to move one.")
    return tenant.now(None)


def _move(tx: Tx, actor: Actor, to: datetime, held_at: datetime | None) -> datetime:
    before = _read_clock(tx, actor, held_at)
    move_clock(tx, get_tenant(tx.conn, actor.tenant_id), to)
    actor.note(tx, "clock_moved", None, before=iso(before), to=iso(to))
    return to
