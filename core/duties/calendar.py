"""When a local time comes on which day. Pure.

A duty belongs to a local day, not to a span since the last one: so no day is left out and none has two, whenever it
ran. On a day on which the time does not exist it comes as much later as the clocks go forward; where it comes twice the
first counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import BadInput

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Moved = Literal["gap", "fold"]
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A local time of every day, or of one weekday (0 is Monday), in a zone."""

    at: time
    zone: str
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """A local day and the instant at which the duty is due on it.

    `moved` says that the local time does not exist on that day (gap) or comes twice (fold).
    """

    day: date
    at: datetime
    moved: Moved | None = None


def read_rule(at: str, zone: str, weekday: str | None = None) -> Rule:
    """Read a rule as a person types it, `07:30` in `Europe/London`, or raise BadInput."""
    found = _TIME.fullmatch(at.strip())
    if found is None:
        raise BadInput(f"{at[:40]!r} is no time of day; write it like 07:30.")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(f"{zone[:40]!r} is no time zone; write it like Europe/London.") from error
    if weekday is not None and weekday.lower() not in WEEKDAYS:
        raise BadInput(f"{weekday[:40]!r} is no day of the week; write it like monday.")
    number = None if weekday is None else WEEKDAYS.index(weekday.lower())
    return Rule(time(int(found[1]), int(found[2])), zone, number)


def due_on(rule: Rule, day: date) -> Due | None:
    """Answer when the rule's time comes on a local day, or None where the zone left that day out."""
    first = datetime.combine(day, rule.at, ZoneInfo(rule.zone))
    at, other = first.astimezone(UTC), first.replace(fold=1).astimezone(UTC)
    if at == other:
        return Due(day, at)
    if at < other:
        return Due(day, at, "fold")
    # The offset from before the change moves a time that does not exist beyond it, by as much as the clocks go.
    return Due(day, at, "gap") if at.astimezone(ZoneInfo(rule.zone)).date() == day else None


def list_dues(rule: Rule, after: date) -> Iterator[Due]:
    """Yield every due of a rule on the local days after one, for ever."""
    day = after
    while True:
        day += timedelta(days=1)
        if rule.weekday in (None, day.weekday()):
            due = due_on(rule, day)
            if due is not None:
                yield due


def next_due(rule: Rule, now: datetime, after: date | None = None) -> Due:
    """Answer the first due that lies ahead, on a day after `after` where there is one."""
    yesterday = now.astimezone(ZoneInfo(rule.zone)).date() - timedelta(days=1)
    start = yesterday if after is None else max(yesterday, after)
    return next(due for due in list_dues(rule, start) if due.at > now)


def preview(rule: Rule, now: datetime, count: int = 7) -> list[Due]:
    """Answer the next dues of a rule that would be set now."""
    first = next_due(rule, now)
    return [first, *islice(list_dues(rule, first.day), count - 1)]


def say_rule(rule: Rule) -> str:
    """Say a rule: `every day at 07:30, Europe/London`."""
    day = "day" if rule.weekday is None else WEEKDAYS[rule.weekday].capitalize()
    return f"every {day} at {rule.at:%H:%M}, {rule.zone}"


def say_moved(rule: Rule, due: Due) -> str | None:
    """Say why a due is not simply at the rule's time, or None."""
    if due.moved == "gap":
        came = due.at.astimezone(ZoneInfo(rule.zone))
        return f"{rule.at:%H:%M} does not exist on {due.day}: the clocks go forward, so it is due at {came:%H:%M}."
    if due.moved == "fold":
        return f"{rule.at:%H:%M} comes twice on {due.day}: the clocks go back, and the first counts."
    return None
