"""Two kinds of time, kept apart.

Business time is what deadlines, holds and reminders are held against. Each tenant's clock is a row: real, or
fixture (a start and an offset that only an operator moves). `DAYBOOK_NOW` overrides all. The edge resolves it
to one aware UTC instant and passes that on as `now`; nothing below the edge asks for the time.

The pulse is liveness time: leases and heartbeats. It is monotonic and is never frozen or moved.

Instants are kept to the millisecond, so that what is stored equals what was compared.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from core.errors import BadInput

FIXTURE_START = datetime(2026, 8, 20, 9, 0, tzinfo=UTC)
# Stands for a stored time that nobody can read: so far ahead that nothing is ever due by it.
UNREADABLE = datetime(9999, 1, 1, tzinfo=UTC)
LONGEST_SPAN = timedelta(days=36_500)
_SPAN = re.compile(r"(\d{1,12})\s*(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def is_on_calendar(instant: datetime) -> bool:
    """Say whether times around it can be reckoned with: it is after 1970 and before 3000."""
    return 1970 < instant.year < 3000


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands at one instant: what a step is handed."""

    at: datetime

    def now(self) -> datetime:
        """Answer that instant."""
        return self.at


def real_now() -> datetime:
    """Answer the machine's time, aware UTC, to the millisecond."""
    return to_milliseconds(datetime.now(UTC))


def to_milliseconds(instant: datetime) -> datetime:
    """Answer the instant in UTC with what is below a millisecond cut off."""
    utc = instant.astimezone(UTC)
    return utc.replace(microsecond=utc.microsecond // 1000 * 1000)


def pulse() -> float:
    """Answer liveness time in seconds since the machine started; comparable between its processes only."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def write_instant(instant: datetime) -> str:
    """Write an aware instant as fixed-width UTC text, which sorts as time does; raises BadInput without a zone."""
    if instant.tzinfo is None:
        raise BadInput(f"{instant} has no time zone; every time here is aware.")
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def read_instant(text: str) -> datetime:
    """Read an ISO time with a zone, or raise BadInput."""
    try:
        instant = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{text!r} is not a time; write it like 2026-08-20T09:00:00Z.") from error
    if instant.tzinfo is None:
        raise BadInput(f"{text!r} has no time zone; write it like 2026-08-20T09:00:00Z.")
    try:
        return to_milliseconds(instant)
    except OverflowError as error:
        raise BadInput(f"{text!r} is beyond all calendars; write it like 2026-08-20T09:00:00Z.") from error


def iso(instant: datetime | None) -> str | None:
    """Write an instant for JSON: `2026-08-20T09:00:00Z`, with milliseconds only where there are any.

    A stored time that cannot be read is no time.
    """
    return None if instant is None or instant == UNREADABLE else write_instant(instant).replace(".000Z", "Z")


def read_span(text: str) -> timedelta:
    """Read a span such as `90s`, `1h30m` or `2d`, or raise BadInput."""
    parts = _SPAN.findall(text)
    if not parts or _SPAN.sub("", text).strip():
        raise BadInput(f"{text[:40]!r} is not a span; write it like 90s, 1h30m or 2d.")
    seconds = sum(int(count) * _UNITS[unit] for count, unit in parts)
    if seconds > LONGEST_SPAN.total_seconds():
        raise BadInput(f"{text[:40]} is longer than {LONGEST_SPAN.days} days, the longest span there is.")
    return timedelta(seconds=seconds)


def say_span(span: timedelta) -> str:
    """Say a span in at most two units: `2 d 3 h`, `15 min`, `8 s`."""
    seconds = int(abs(span).total_seconds())
    units = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
    said: list[str] = []
    for name, size in units:
        count, seconds = divmod(seconds, size)
        if count or (name == "s" and not said):
            said.append(f"{count} {name}")
    return " ".join(said[:2])
