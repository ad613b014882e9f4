"""Tables of nudges, and the triggers that fill them.

A trigger cannot be forgotten: whichever command makes a thread due otherwise than its engine was told leaves a nudge in
the same transaction.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from core.db.base import Base
from core.db.types import Instant


class NudgeRow(Base, table=True):
    """That an engine is to look at a thread: it is new, something came for it, or its clock moved.

    Written by triggers only, while `engines` says that an engine outside of the database drives the home; deleted once
    that engine's server has acknowledged it.
    """

    __tablename__ = "nudges"

    id: str = Field(primary_key=True)
    tenant_id: str
    thread_id: str


class EngineRow(Base, table=True):
    """An engine outside of the database, and whether it drives the home; where none is on, the local one does.

    `home_id` is what the engine's server knows this home by, so that two homes on one server cannot meet.
    """

    __tablename__ = "engines"

    name: str = Field(primary_key=True)
    home_id: str
    is_on: bool
    changed_at: datetime = Field(sa_type=Instant)


_DRIVEN = "EXISTS (SELECT 1 FROM engines WHERE is_on)"
# What a step settles by itself its engine is told as the answer. All else is a nudge: something came (signals), a time
# was moved from outside, a lease was given back without anything settled (the version stands).
_CAME = "NEW.signals <> OLD.signals"
_MOVED = "OLD.lease_holder IS NULL AND NEW.lease_holder IS NULL AND NEW.wake_at {differs} OLD.wake_at"
_GIVEN_BACK = "OLD.lease_holder IS NOT NULL AND NEW.lease_holder IS NULL AND NEW.version = OLD.version"
_OTHERWISE = f"{_CAME} OR ({_MOVED}) OR ({_GIVEN_BACK})"
_COLUMNS = "signals, wake_at, lease_holder"
# A second more than the clock shows, so that no rounding leaves a thread out; one that is not due yet goes on waiting.
_SQLITE_CLOCK = (
    "strftime('%Y-%m-%dT%H:%M:%fZ', NEW.clock_start_at, '+' || (NEW.clock_offset_ms / 1000 + 1) || ' seconds')"
)
_POSTGRES_CLOCK = (
    "to_char((NEW.clock_start_at::timestamptz + make_interval(secs => NEW.clock_offset_ms / 1000 + 1)) "
    "AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
)


def _sqlite(name: str, event: str, when: str, rows: str) -> str:
    return f"""
CREATE TRIGGER {name} AFTER {event}
WHEN ({when}) AND {_DRIVEN}
BEGIN
  INSERT INTO nudges (id, tenant_id, thread_id)
  SELECT lower(hex(randomblob(16))), {rows};
END
"""


def _postgres(name: str, event: str, when: str, rows: str) -> str:
    return f"""
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {_DRIVEN} THEN
    INSERT INTO nudges (id, tenant_id, thread_id)
    SELECT replace(gen_random_uuid()::text, '-', ''), {rows};
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER {name} AFTER {event}
FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION {name}();
"""


_ITSELF = "NEW.tenant_id, NEW.id"
_THOSE_DUE = "tenant_id, id FROM threads WHERE tenant_id = NEW.id AND wake_at <= {clock}"
_CLOCK = "UPDATE OF clock_offset_ms ON tenants"
NUDGE_TRIGGERS = {
    "sqlite": {
        "nudge_opened": _sqlite("nudge_opened", "INSERT ON threads", "NEW.wake_at IS NOT NULL", _ITSELF),
        "nudge_moved": _sqlite(
            "nudge_moved", f"UPDATE OF {_COLUMNS} ON threads", _OTHERWISE.format(differs="IS NOT"), _ITSELF
        ),
        "nudge_clock": _sqlite(
            "nudge_clock", _CLOCK, "NEW.clock_offset_ms <> OLD.clock_offset_ms", _THOSE_DUE.format(clock=_SQLITE_CLOCK)
        ),
    },
    "postgresql": {
        "nudge_opened": _postgres("nudge_opened", "INSERT ON threads", "NEW.wake_at IS NOT NULL", _ITSELF),
        "nudge_moved": _postgres(
            "nudge_moved", f"UPDATE OF {_COLUMNS} ON threads", _OTHERWISE.format(differs="IS DISTINCT FROM"), _ITSELF
        ),
        "nudge_clock": _postgres(
            "nudge_clock", _CLOCK, "NEW.clock_offset_ms <> OLD.clock_offset_ms",
            _THOSE_DUE.format(clock=_POSTGRES_CLOCK),
        ),
    },
}  # fmt: skip
