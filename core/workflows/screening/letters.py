"""The letters of a role, filled by code, and the effects that carry them. Pure.

A payload is the recipient, the subject, the body and, where the letter states them, language, sender and reply-to. The
recipient is the address as it was typed. What fills a field is put in once and never read again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import StepFailed
from core.steps import Config, Effect, Json, Kit, OnlyIf, Person

_NAME_LENGTH = 120
_TITLES = frozenset({"mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "sir", "dame"})
_JOINERS = "\u200c\u200d"
_ONLY_IF = {
    "invite": (OnlyIf.ROLE_OPEN,),
    "reminder": (OnlyIf.STILL_WAITING, OnlyIf.NO_NEW_EVENT, OnlyIf.BEFORE_DEADLINE, OnlyIf.ROLE_OPEN),
    "decline": (),
    # A booking that commits first stands, and the letter stays here.
    "retraction": (OnlyIf.NO_NEW_EVENT,),
}
_FIELD = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")
_WAYS = {"slot": "choose_slot", "elsewhere": "choose_elsewhere", "by_mail": "choose_by_mail"}


@dataclass(frozen=True, slots=True)
class Sources:
    """What letters are filled from. `link` is the page on which this person answers the invite."""

    person: Person
    role: Config
    letters: Config
    booking: Config
    link: str = ""

    @property
    def way(self) -> str:
        """Say how a time is chosen: `slot`, `elsewhere` or `by_mail`."""
        if self.booking.content["slots"]:
            return "slot"
        return "elsewhere" if self.booking.content["address"] else "by_mail"


def sources(kit: Kit, link: str = "") -> Sources:
    """Answer what a thread's letters are filled from, by the versions it is pinned to."""
    return Sources(kit.person, kit.config("role"), kit.config("letters"), kit.config("booking"), link)


def letter(name: str, given: Sources, *, number: int = 1, key: str | None = None) -> Effect:
    """Answer the effect that sends one letter to the person; `number` is above 1 where an earlier one came back."""
    text: Mapping[str, str] = given.letters.content[name]
    words = _words(given, text)
    payload = {
        "to": (given.person.email or "").strip(),
        "subject": " ".join(_fill(name, text["subject"], words).split()),
        "body": _fill(name, text["body"], words),
        **{head: text[head] for head in ("language", "sender", "reply_to") if text.get(head)},
    }
    return Effect(numbered(key or name, number), "mail", payload, _ONLY_IF[name])


def preview(role: Config, letters: Config, booking: Config) -> dict[str, Mapping[str, Json]]:
    """Answer each letter as an invented person would get it."""
    sample = Person("Sam Sample", "sam.sample@example.com", {}, 1)
    given = Sources(sample, role, letters, booking, "https://daybook.example.com/book/…")
    return {name: letter(name, given).payload for name in _ONLY_IF}


def numbered(name: str, number: int) -> str:
    """Name an effect's first letter plainly (`invite`), a later one by its number (`invite/2`)."""
    return name if number == 1 else f"{name}/{number}"


def _words(given: Sources, text: Mapping[str, str]) -> dict[str, str]:
    role = given.role.content
    words = {
        "first_name": first_name(given.person.name) or "there",
        "name": shown_name(given.person.name) or "there",
        "role_title": role["title"],
        "window": _say_hours(role["window_hours"]),
        "window_hours": str(role["window_hours"]),
        "reminder_window": _say_hours(role["reminder_hours"]),
        "reminder_hours": str(role["reminder_hours"]),
        "booking_link": given.link,
        "booking_address": given.booking.content["address"] or "",
        "sender": text.get("sender", ""),
        "reply_to": text.get("reply_to", ""),
    }
    phrase = _WAYS[given.way]
    return {**words, "how_to_book": _fill(phrase, given.letters.content[phrase]["body"], words).strip()}


def _say_hours(count: int) -> str:
    return "1 hour" if count == 1 else f"{count} hours"


def first_name(name: str | None) -> str:
    """Answer the name to greet someone by: the first word of theirs that is a word and no title."""
    words = [word for word in shown_name(name).split() if any(map(str.isalpha, word))]
    untitled = [word for word in words if word.rstrip(".").lower() not in _TITLES]
    return (untitled or words or [""])[0]


def shown_name(name: str | None) -> str:
    """Answer a name without the characters that no name has: controls, overrides, lone halves of a pair."""
    shown = [char for place, char in enumerate(name or "") if _is_seen(name or "", place, char)]
    return " ".join("".join(shown).split())[:_NAME_LENGTH]


def _is_seen(name: str, place: int, char: str) -> bool:
    if char in _JOINERS:  # They shape Arabic letters and hold an emoji together; in other words they hide.
        return place > 0 and ord(name[place - 1]) >= 0x0600
    return char.isspace() or not unicodedata.category(char).startswith("C")


def _fill(name: str, text: str, words: Mapping[str, str]) -> str:
    def fill(found: re.Match[str]) -> str:
        field = found[1]
        if field is not None and field not in words:
            raise StepFailed(
                f"The letter {name} has the field {{{field}}}, which nothing fills; mend the role's letters."
            )
        return found[0][0] if field is None else words[field]

    return _FIELD.sub(fill, text)
