"""Instants and spans as people read them: in the home's zone, with the UTC time on hover."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from core.clock import iso, say_span
from core.views.sentence import say_time
from pages.parts.untrusted import Html, tag


def when(instant: datetime | None, zone: ZoneInfo) -> Html | None:
    """Show an instant; nothing where there is none."""
    if instant is None:
        return None
    return tag("time", say_time(instant, zone), datetime=iso(instant), title=f"{iso(instant)}")


def day(instant: datetime, zone: ZoneInfo, *, timed: bool = False) -> Html:
    """Show the day of an instant with its year, for what may lie more than a year away; `timed` with its time."""
    local = instant.astimezone(zone)
    shown = f"{local:%-d %b %Y, %H:%M %Z}" if timed else f"{local:%-d %b %Y}"
    return tag("time", shown, datetime=iso(instant), title=f"{say_time(instant, zone)}, {iso(instant)}")


def how_long(since: datetime, now: datetime) -> Html:
    """Show how long something has lasted."""
    return tag("time", say_span(now - since), datetime=iso(since), title=f"since {iso(since)}")
