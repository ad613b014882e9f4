"""When a record expires. The date is computed when it is written, capped per kind; reading never moves it.

Only the event that a record's rule names sets it anew: the role closed or is open again, its rubric changed. None sets
it beyond the date that the record was written with, and none brings back what has expired.
"""

from __future__ import annotations

import calendar
from datetime import datetime

from sqlalchemy import bindparam, case, update

from core.db.store import Tx
from core.memory.kinds import get_kind
from core.memory.tables import MemoryRow
from core.steps import Record, Rule

_memories = MemoryRow.__table__  # type: ignore[attr-defined]
_MONTHS = 6
_INSTANT = _memories.c.expires_at.type
_DUE, _AT = bindparam("due", type_=_INSTANT), bindparam("at", type_=_INSTANT)
_ANEW = case((_memories.c.latest_at < _DUE, _memories.c.latest_at), else_=_DUE)
_OF_RULE = (
    _memories.c.tenant_id == bindparam("tenant"),
    _memories.c.anchor_id == bindparam("anchor"),
    _memories.c.rule == bindparam("of_rule"),
    _memories.c.expires_at > _AT,
)
_MOVE = update(_memories).where(*_OF_RULE, _memories.c.expires_at != _ANEW)
_UNTIL_DUE = _MOVE.values(expires_at=_ANEW, version=_memories.c.version + 1)
_AS_WRITTEN = (
    update(_memories)
    .where(*_OF_RULE, _memories.c.expires_at != _memories.c.latest_at)
    .values(expires_at=_memories.c.latest_at, version=_memories.c.version + 1)
)


def first_expiry(record: Record, now: datetime) -> datetime:
    """Answer when a new record expires: its own date, if it has one, and never after its kind's longest life."""
    longest = now + get_kind(record.kind).longest
    return longest if record.expires_at is None else min(record.expires_at, longest)


def latest_for(kind: str, rule: str, created_at: datetime, expires_at: datetime) -> datetime:
    """Answer the latest date a person may set: the kind's longest life, or the rule's own date where an event sets it.

    What a role or a rubric ends would outlive its rule if a person could put it off.
    """
    return created_at + get_kind(kind).longest if rule == Rule.BY_DATE else expires_at


def role_closed(tx: Tx, tenant_id: str, role_id: str, at: datetime) -> int:
    """Set anew when records anchored at a role expire, because it closed; answers how many moved."""
    at_close = _until(tx, tenant_id, role_id, Rule.ROLE_CLOSE, at, at)
    return at_close + _until(tx, tenant_id, role_id, Rule.CLOSE_6_MONTHS, months_after(at, _MONTHS), at)


def role_opened(tx: Tx, tenant_id: str, role_id: str, at: datetime) -> int:
    """Let what is kept until after a role's close live as it was written to, because it is open again; answers how many
    moved."""
    where = {"tenant": tenant_id, "anchor": role_id, "of_rule": str(Rule.CLOSE_6_MONTHS), "at": at}
    return tx.conn.execute(_AS_WRITTEN, where).rowcount


def rubric_changed(tx: Tx, tenant_id: str, role_id: str, at: datetime) -> int:
    """End the records of a role's rubric version, because the next one stands; answers how many moved."""
    return _until(tx, tenant_id, role_id, Rule.NEXT_RUBRIC, at, at)


def months_after(at: datetime, months: int) -> datetime:
    """Answer the same day so many months later, or that month's last day where it has no such day."""
    years, month = divmod(at.month - 1 + months, 12)
    year, month = at.year + years, month + 1
    return at.replace(year=year, month=month, day=min(at.day, calendar.monthrange(year, month)[1]))


def _until(tx: Tx, tenant_id: str, anchor_id: str, rule: Rule, due: datetime, at: datetime) -> int:
    where = {"tenant": tenant_id, "anchor": anchor_id, "of_rule": str(rule), "due": due, "at": at}
    return tx.conn.execute(_UNTIL_DUE, where).rowcount
