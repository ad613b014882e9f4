"""What an owner decides about duties, and what the duties that ship do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.desk.memory import Opener, sweep_expired
from core.duties.calendar import Due, Rule
from core.duties.duties import set_duty, switch_off
from core.errors import NotFound, meant
from core.people.people import Member, check_is_owner
from core.people.tenants import TenantRow
from core.steps import Json

# Each with what it does, in words for a person.
DUTIES = {
    "memory-sweep": "Deletes memory whose time has come. It is gone from every read at its instant anyway.",
}


def check_duty(name: str) -> str:
    """Answer the name, or raise NotFound where no duty is called so."""
    if name not in DUTIES:
        raise NotFound(f"There is no duty {name[:40]!r}. {meant(name, DUTIES)}")
    return name


def set_duty_time(tx: Tx, actor: Actor, name: str, rule: Rule) -> Due:
    """Let a duty be done at a local time, from the next one on; raises NotAllowed for anybody but an owner."""
    check_is_owner(actor.member)
    due = set_duty(tx, actor.tenant_id, check_duty(name), rule, by=actor.member.id, now=actor.now)
    actor.note(
        tx, "duty_set", None, duty=name, time=f"{rule.at:%H:%M}", zone=rule.zone, weekday=rule.weekday
    )  # fmt: skip
    return due


def switch_duty_off(tx: Tx, actor: Actor, name: str) -> bool:
    """Let a duty be due no more, and say whether it was on; raises NotAllowed for anybody but an owner."""
    check_is_owner(actor.member)
    was_on = switch_off(tx, actor.tenant_id, check_duty(name), by=actor.member.id, now=actor.now)
    if was_on:
        actor.note(tx, "duty_off", None, duty=name)
    return was_on


def acts_of(open_tx: Opener, desk: Desk) -> Mapping[str, Callable[[TenantRow, datetime], Mapping[str, Json]]]:
    """Answer what each duty does."""

    def sweep_memory(tenant: TenantRow, now: datetime) -> Mapping[str, Json]:
        return {"deleted": len(sweep_expired(open_tx, desk, _nobody(tenant, now, "duty memory-sweep")))}

    return {"memory-sweep": sweep_memory}


def _nobody(tenant: TenantRow, now: datetime, door: str) -> Actor:
    """Answer who acts where a duty does: the worker, and no person."""
    return Actor(tenant, Member(tenant.id, "worker", "", "", "reviewer", active=True), now, door)
