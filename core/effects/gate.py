"""The gate (contract C3): the one place where an effect goes from planned to sending.

Under the write lock, one guarded UPDATE releases the approval (compare-and-set, never before `release_at`) and one lets
the effect out. Both hold or neither does. What the second insists on: the lease number, the effect's own `only_if`, a
released approval for exactly this payload by a person who could still decide at its release, no tombstone. Where it
holds an effect back, the reason is read from the same rows in the same transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, text

from core.clock import write_instant
from core.db.store import Tx
from core.effects.plan import Entry
from core.people.people import DECIDERS
from core.threads.rows import Thread

OFF = "sending_is_off"
_DECIDERS = ", ".join(repr(access) for access in DECIDERS)

# Each condition names the reason that stands in the ledger where it does not hold, in the order they are looked at.
_CONDITIONS = {
    "lease_lost": (
        "EXISTS (SELECT 1 FROM threads t WHERE t.tenant_id = :tenant AND t.id = :thread"
        " AND t.lease_no = :lease AND t.lease_holder = :holder)"
    ),
    "journal_ahead": "e.status <> 'unknown'",
    "erased": ("NOT EXISTS (SELECT 1 FROM tombstones x WHERE x.tenant_id = :tenant AND x.subject_id = :subject)"),
    "not_approved": (
        "(NOT e.needs_approval OR EXISTS (SELECT 1 FROM approvals a"
        " JOIN approval_options o ON o.tenant_id = a.tenant_id AND o.approval_id = a.id"
        " WHERE a.tenant_id = e.tenant_id AND a.id = e.approval_id AND a.status IN ('approved', 'rejected')"
        " AND o.verdict = a.verdict AND o.effect_key = e.key AND o.payload_hash = e.payload_hash))"
    ),
    "held": (
        "(NOT e.needs_approval OR EXISTS (SELECT 1 FROM approvals a"
        " WHERE a.tenant_id = e.tenant_id AND a.id = e.approval_id AND a.release_at <= :now))"
    ),
    "person_may_not_decide": (
        "(NOT e.needs_approval OR EXISTS (SELECT 1 FROM approvals a JOIN people p"
        " ON p.tenant_id = a.tenant_id AND p.id = a.decided_by"
        " WHERE a.tenant_id = e.tenant_id AND a.id = e.approval_id"
        f" AND (a.released_at IS NOT NULL OR (p.active AND p.access IN ({_DECIDERS})))))"
    ),
    "conditions_unreadable": "(e.only_if IS NULL OR e.only_if LIKE '[%]')",
    "role_closed": (
        "(e.only_if NOT LIKE '%role_open%' OR EXISTS (SELECT 1 FROM threads t JOIN roles r"
        " ON r.tenant_id = t.tenant_id AND r.id = t.role_id"
        " WHERE t.tenant_id = :tenant AND t.id = :thread AND r.status = 'open'))"
    ),
    "owner_may_not_decide": (
        "(e.only_if NOT LIKE '%owner_decides%' OR EXISTS (SELECT 1 FROM threads t JOIN people p"
        " ON p.tenant_id = t.tenant_id AND p.id = t.owner_id"
        f" WHERE t.tenant_id = :tenant AND t.id = :thread AND p.active AND p.access IN ({_DECIDERS})))"
    ),
    "no_longer_waiting": (
        "(e.only_if NOT LIKE '%still_waiting%' OR EXISTS (SELECT 1 FROM threads t"
        " WHERE t.tenant_id = :tenant AND t.id = :thread AND t.waits_for = 'event'))"
    ),
    "an_event_came": (
        "(e.only_if NOT LIKE '%no_new_event%' OR NOT EXISTS (SELECT 1 FROM events v"
        " WHERE v.tenant_id = :tenant AND v.thread_id = :thread AND v.consumed_by IS NULL AND NOT v.late))"
    ),
    "deadline_passed": (
        "(e.only_if NOT LIKE '%before_deadline%' OR EXISTS (SELECT 1 FROM threads t"
        " WHERE t.tenant_id = :tenant AND t.id = :thread AND t.until_at > :now))"
    ),
    "sandbox": (
        "(e.kind IN ('read', 'tool') OR NOT EXISTS (SELECT 1 FROM threads t"
        " WHERE t.tenant_id = :tenant AND t.id = :thread AND t.is_sandbox))"
    ),
    # Last: what may not leave for another reason is void even while nothing leaves.
    OFF: "NOT EXISTS (SELECT 1 FROM switches s WHERE s.name = 'sending' AND NOT s.is_on)",
}
_ALL = " AND ".join(_CONDITIONS.values())
_THIS = "e.tenant_id = :tenant AND e.key = :key AND e.attempt = :attempt AND e.status = 'planned'"

_RELEASE = text(
    "UPDATE approvals SET released_at = :now, version = version + 1"
    " WHERE tenant_id = :tenant AND id = :approval AND released_at IS NULL AND release_at <= :now"
    f" AND EXISTS (SELECT 1 FROM effects e WHERE {_THIS} AND {_ALL})"
)
_LET_OUT = text(
    "UPDATE effects AS e SET status = 'sending', sending_at = :now, worker_id = :holder, why = NULL, via = :via,"
    " trace = :trace"
    f" WHERE {_THIS} AND {_ALL}"
)
_WHY = text(
    "SELECT "
    + ", ".join(f"({condition}) AS {reason}" for reason, condition in _CONDITIONS.items())
    + " FROM effects e WHERE e.tenant_id = :tenant AND e.key = :key"
)
_VOID = text(f"UPDATE effects AS e SET status = 'void', why = :why WHERE {_THIS}").bindparams(bindparam("why"))
_STAYS = text(f"UPDATE effects AS e SET why = '{OFF}' WHERE {_THIS}")

# Reasons that are no end of the effect: the thread is put back or tried again, and the effect stays planned.
NOT_YET = ("lease_lost", "held", OFF)


@dataclass(frozen=True, slots=True)
class Passing:
    """An effect at the gate, and where it would leave by: `via` names the outside, `trace` what to look for there."""

    entry: Entry
    thread: Thread
    via: str | None = None
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """What the gate said of one effect: `held_back` is None where it may leave now."""

    entry: Entry
    thread: Thread
    held_back: str | None


def pass_gate(tx: Tx, leaving: Sequence[Passing], now: datetime) -> list[Passed]:
    """Let planned effects out, or write why not. Each is decided on its own."""
    return [Passed(one.entry, one.thread, _pass_one(tx, one, now)) for one in leaving]


def _pass_one(tx: Tx, one: Passing, now: datetime) -> str | None:
    values = {**_values(one.entry, one.thread, now), "via": one.via, "trace": one.trace}
    if one.entry.approval_id is not None:
        tx.conn.execute(_RELEASE, values)
    if tx.conn.execute(_LET_OUT, values).rowcount == 1:
        return None
    return _held_back(tx, values) or "lease_lost"


def turn_away(tx: Tx, entry: Entry, thread: Thread, now: datetime) -> str | None:
    """Write why a planned effect could not pass now, and answer it; None where it could. Lets nothing out."""
    return _held_back(tx, _values(entry, thread, now))


def _values(entry: Entry, thread: Thread, now: datetime) -> dict[str, Any]:
    return {
        "tenant": entry.tenant_id,
        "key": entry.key,
        "attempt": entry.attempt,
        "approval": entry.approval_id,
        "thread": thread.id,
        "subject": thread.subject_id,
        "lease": thread.lease_no,
        "holder": thread.lease_holder,
        "now": write_instant(now),
    }


def _held_back(tx: Tx, values: Mapping[str, Any]) -> str | None:
    held = tx.conn.execute(_WHY, values).mappings().one()
    reason = next((reason for reason, holds in held.items() if not holds), None)
    if reason == OFF:
        tx.conn.execute(_STAYS, values)
    elif reason is not None and reason not in NOT_YET:
        tx.conn.execute(_VOID, {**values, "why": reason})
    return None if reason is None else str(reason)
