"""What the outside may tell a screening thread: a booking with its slot, a withdrawal, a letter that came back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from core.errors import BadInput
from core.steps import Json

ANSWERS = ("booking", "withdraw")
EVENTS = (*ANSWERS, "bounce")
# What a person of the tenant asks of a thread that waits; it comes by the same way and from no outside.
ASKED = ("retract", "deadline", "resend")
_EXAMPLE = '{"slot": "2026-08-25T10:00:00Z"}'
_REASON_LENGTH = 500
_FIRST_YEAR, _LAST_YEAR = 1971, 2999


def check_event(name: str, data: Mapping[str, Json]) -> None:
    """Refuse an event of another name, or with data that does not fit; raises BadInput.

    A slot is a fact from outside: it is not held against offered slots or against the clock.
    """
    if name not in EVENTS:
        raise BadInput(f"Screening has no event {name!r}; it has {', '.join(EVENTS[:-1])} and {EVENTS[-1]}.")
    if not isinstance(data, Mapping):
        raise BadInput(f"The data of {name} is an object, such as {_EXAMPLE if name == 'booking' else '{}'}.")
    if name == "booking":
        _check_keys(name, data, {"slot"})
        slot_of(data)
    else:
        _check_keys(name, data, {"reason"})
        _check_reason(name, data.get("reason", ""))


def slot_of(data: Mapping[str, Json]) -> datetime:
    """Answer a booking's slot as aware UTC; raises BadInput."""
    text = data.get("slot")
    if not isinstance(text, str):
        raise BadInput(f"A booking's data is its slot as text, such as {_EXAMPLE}.")
    try:
        slot = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(f"The slot {text[:40]!r} is no time; write it as in {_EXAMPLE}.") from None
    if slot.tzinfo is None:
        raise BadInput(f"The slot {text[:40]!r} has no time zone; write it as in {_EXAMPLE}.")
    if not _FIRST_YEAR <= slot.year <= _LAST_YEAR:
        raise BadInput(f"The slot {text[:40]!r} is beyond all calendars; write it as in {_EXAMPLE}.")
    return slot.astimezone(UTC)


def _check_keys(name: str, data: Mapping[str, Json], known: set[str]) -> None:
    unknown = sorted(set(data) - known)
    if unknown:
        raise BadInput(f"The data of {name} has no field {unknown[0][:40]!r}.")


def _check_reason(name: str, reason: Json) -> None:
    if not isinstance(reason, str) or len(reason) > _REASON_LENGTH:
        raise BadInput(f"The reason of {name} is text of at most {_REASON_LENGTH} characters.")
