"""How a time is chosen for a role: from a list of times, at an address elsewhere, or by answering the letter."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.catalog.role_parts import malformed
from core.clock import iso

MOST_SLOTS = 200
_LONGEST_ADDRESS = 500
NO_BOOKING: Mapping[str, Any] = {"time_zone": "UTC", "slots": [], "address": None}
_KNOWN = ("time_zone", "slots", "address")


def read_booking_file(text: str, file_name: str) -> dict[str, Any]:
    """Read a file of its own: TOML with time_zone, slots and address. Raises BadInput with one sentence."""
    try:
        table = tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise malformed(file_name, 1, f"this is not TOML ({error})") from error
    return read_booking(table, file_name, 1)


def read_booking(table: Any, file_name: str, line: int) -> dict[str, Any]:
    """Answer time zone, slots (UTC, in order, each once) and address as they are kept.

    A slot without an offset is local time in the time zone; one that there is twice or never on that day is refused.
    """
    if not isinstance(table, dict) or set(table) - set(_KNOWN):
        raise malformed(file_name, line, f"how a time is chosen is said by {', '.join(_KNOWN)}, and nothing else")
    name, slots = table.get("time_zone", "UTC"), table.get("slots", [])
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as error:
        raise malformed(file_name, line, f"{str(name)[:40]!r} is no time zone such as Europe/London") from error
    if not isinstance(slots, list) or len(slots) > MOST_SLOTS:
        raise malformed(file_name, line, f"slots is a list of at most {MOST_SLOTS} times")
    instants = {_slot(slot, zone, file_name, line) for slot in slots}
    address = _address(table.get("address"), file_name, line)
    return {"time_zone": name, "slots": [iso(instant) for instant in sorted(instants)], "address": address}


def _slot(slot: Any, zone: ZoneInfo, file_name: str, line: int) -> datetime:
    try:
        at = slot if isinstance(slot, datetime) else datetime.fromisoformat(str(slot).strip())
        if at.tzinfo is None:
            at = _local(at, zone)
        return at.astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise malformed(
            file_name, line, f"the slot {str(slot)[:40]!r} is no time such as 2026-08-25T10:00, or needs its offset"
        ) from error


def _local(at: datetime, zone: ZoneInfo) -> datetime:
    early, late = (at.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        raise ValueError("The clocks change at this time, so it is there twice or not at all.")
    return early


def _address(address: Any, file_name: str, line: int) -> str | None:
    if address in (None, ""):
        return None
    text = address if isinstance(address, str) else ""
    parts = urlsplit(text)
    plain = text.isascii() and text.isprintable() and " " not in text and len(text) <= _LONGEST_ADDRESS
    if not plain or parts.scheme != "https" or not parts.hostname or "@" in parts.netloc:
        raise malformed(file_name, line, "the booking address is a link that begins with https://")
    return text


def way_of(booking: Mapping[str, Any]) -> str:
    """Say how a time is chosen: `slot`, `elsewhere` or `by_mail`."""
    if booking["slots"]:
        return "slot"
    return "elsewhere" if booking["address"] else "by_mail"
