"""The letters of a role as templates: which there are, which fields stand in them, and how a file of one is read.

A template is plain text. `{first_name}` is a field, two braces are one, and nothing else is read into it. What fills a
field is never read again, so that a name can bring in neither a field nor a line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.catalog.role_parts import DATA, malformed
from core.errors import BadInput
from core.identity import check_email, display_name
from core.limits import LETTER_BODY, LETTER_HEAD, check_length

LETTERS = ("invite", "reminder", "decline", "retraction")
# What the field {how_to_book} says, by how a time is chosen for the role.
PHRASES = ("choose_slot", "choose_elsewhere", "choose_by_mail")
FIELDS = frozenset(
    {"first_name", "name", "role_title", "window", "window_hours", "reminder_window", "reminder_hours"}
    | {"how_to_book", "booking_link", "booking_address", "sender", "reply_to"}
)
# An address elsewhere is said where the role has one, and a phrase does not hold itself.
_ONLY_IN = {"booking_address": ("choose_elsewhere",), "how_to_book": ("invite", "reminder")}
_HEADS = {"subject": "subject", "language": "language", "sender": "sender", "reply-to": "reply_to"}
_TOKEN = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}|(\{[^{}]*\}|\$\{?[A-Za-z_]\w*\}?)|([{}])")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_FIRST_FORM = re.compile(r"\$(?:(\$)|([a-z_]+)|\{([a-z_]+)\})|([{}])")


def check_letter(name: str, letter: Mapping[str, Any], file_name: str, line: int) -> dict[str, str]:
    """Answer a letter as it is kept, or say in one sentence, by line, what is wrong with it."""
    kept = {key: str(letter.get(key) or "").strip() for key in ("subject", "body", "language", "sender", "reply_to")}
    if not kept["body"] or (name in LETTERS and not kept["subject"]):
        raise malformed(file_name, line, f"the letter {name} needs a subject and a body")
    check_length(kept["body"], LETTER_BODY, f"{file_name}, line {line}: the letter {name}")
    _check_heads(name, kept, file_name, line)
    for text in (kept["subject"], kept["body"]):
        _check_fields(name, text, kept, file_name, line)
    if name == "invite" and not {"how_to_book", "booking_link"} & set(_fields(kept["body"])):
        raise malformed(file_name, line, "the letter invite lacks {how_to_book}, so that nobody could answer it")
    kept["body"] += "\n"
    return {key: value for key, value in kept.items() if value}


def read_letter(text: str, name: str, file_name: str) -> dict[str, str]:
    """Read a letter from a file: heads such as `Subject: …`, an empty line, the body. Raises BadInput by line."""
    if name not in (*LETTERS, *PHRASES):
        raise BadInput(f"There is no letter {name!r}; there are {', '.join((*LETTERS, *PHRASES))}.")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    letter: dict[str, str] = {}
    start = 0
    if name in LETTERS:
        for start, line in enumerate(lines, 1):
            if not line.strip():
                break
            head, colon, value = line.partition(":")
            if not colon or head.strip().lower() not in _HEADS:
                raise malformed(file_name, start, "a letter begins with heads such as Subject: …, then an empty line")
            letter[_HEADS[head.strip().lower()]] = value.strip()
    body = lines[start:]
    unseen = next((place for place, line in enumerate(body) if line.strip()), 0)
    letter["body"] = "\n".join(body)
    for place, line in enumerate(lines, 1):  # each line by itself first, so that the sentence names it
        _check_fields(name, line, None, file_name, place)
    return check_letter(name, letter, file_name, start + unseen + 1)


def check_typed(name: str, letter: Mapping[str, str]) -> dict[str, str]:
    """Check a letter that was typed field by field; a sentence counts the lines of its body. Raises BadInput."""
    for place, line in enumerate(letter["body"].split("\n"), 1):
        _check_fields(name, line, None, "The body", place)
    return check_letter(name, letter, "The letter", 1)


def _check_heads(name: str, kept: Mapping[str, str], file_name: str, line: int) -> None:
    for key in ("subject", "language", "sender", "reply_to"):
        check_length(kept[key], LETTER_HEAD, f"{file_name}, line {line}: the {key} of the letter {name}")
        if display_name(kept[key]) != " ".join(kept[key].split()) or "\n" in kept[key]:
            raise malformed(file_name, line, f"the letter {name} has a {key} of more than one plain line")
    if kept["language"] and not _LANGUAGE.fullmatch(kept["language"]):
        raise malformed(file_name, line, f"the letter {name} has a language that is no tag such as en or pt-BR")
    if kept["reply_to"]:
        try:
            check_email(kept["reply_to"])
        except BadInput as error:
            raise malformed(file_name, line, f"the letter {name} has a reply_to that is no e-mail address") from error


def _check_fields(name: str, text: str, heads: Mapping[str, str] | None, file_name: str, line: int) -> None:
    for token in _TOKEN.finditer(text):
        field, odd, brace = token.groups()
        if brace:
            raise malformed(file_name, line, f"the letter {name} has a lone {brace}; write two for one")
        if odd or (field and (field not in FIELDS or name not in _ONLY_IN.get(field, (name,)))):
            raise malformed(file_name, line, f"the letter {name} has {token[0]}, which nothing fills")
        if heads is not None and field in ("sender", "reply_to") and not heads[field]:
            raise malformed(file_name, line, f"the letter {name} has {token[0]}, and states no {field}")


def _fields(text: str) -> list[str]:
    return [token[1] for token in _TOKEN.finditer(text) if token[1]]


@cache
def shipped_letters() -> dict[str, dict[str, str]]:
    """Answer the letters that a role has unless its text or a person says otherwise."""
    path: Path = DATA / "letters" / "en.toml"
    letters = tomllib.loads(path.read_text("utf-8"))
    return {name: check_letter(name, letters[name], path.name, 1) for name in (*LETTERS, *PHRASES)}


def complete(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer a version of letters whole: one from before there were retractions reads as it was meant then."""
    if "retraction" in content:
        return content
    first = {name: {key: _modern(text) for key, text in letter.items()} for name, letter in content.items()}
    return {**shipped_letters(), **first}


def _modern(text: str) -> str:
    """Write `$field` as `{field}`."""

    def write(found: re.Match[str]) -> str:
        dollar, plain, braced, brace = found.groups()
        if dollar:
            return "$"
        return brace * 2 if brace else f"{{{plain or braced}}}"

    return _FIRST_FORM.sub(write, text)
