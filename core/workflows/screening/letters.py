"""The letters of a role, filled by code, and the effects that carry them. Pure.

A payload is exactly the recipient, the subject and the body. The recipient is the address as it was typed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from string import Template

from core.errors import StepFailed
from core.steps import Config, Effect, Json, OnlyIf, Person

_NAME_LENGTH = 120
_TITLES = frozenset({"mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "sir", "dame"})
_JOINERS = "\u200c\u200d"
_ONLY_IF = {
    "invite": (OnlyIf.ROLE_OPEN,),
    "reminder": (OnlyIf.STILL_WAITING, OnlyIf.NO_NEW_EVENT, OnlyIf.BEFORE_DEADLINE, OnlyIf.ROLE_OPEN),
    "decline": (),
}


def letter(name: str, person: Person, role: Config, letters: Config) -> Effect:
    """Answer the effect that sends one letter to the person."""
    words = {
        "first_name": first_name(person.name) or "there",
        "name": shown_name(person.name) or "there",
        "role_title": role.content["title"],
        "window_hours": str(role.content["window_hours"]),
        "reminder_hours": str(role.content["reminder_hours"]),
    }
    text: Mapping[str, Json] = letters.content[name]
    payload = {
        "to": (person.email or "").strip(),
        "subject": " ".join(_fill(name, text["subject"], words).split()),
        "body": _fill(name, text["body"], words),
    }
    return Effect(name, "mail", payload, _ONLY_IF[name])


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
    try:
        return Template(text).substitute(words)
    except (KeyError, ValueError):
        raise StepFailed(f"The letter {name} has a word that nothing fills; mend the role's letters.") from None
