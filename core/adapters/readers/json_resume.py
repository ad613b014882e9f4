"""Reads JSON Resume: the fields of a CV, written out a line each in the order in which they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.adapters.readers.characters import decode
from core.adapters.readers.text import document_of
from core.steps import Document

_NOT_SHOWN = frozenset({"$schema", "meta", "image", "picture"})
_HEADS = ("name", "position", "title", "studyType", "area", "institution", "organization", "awarder", "publisher",
          "network", "language", "label")  # fmt: skip
_DATES = ("startDate", "endDate", "date", "releaseDate")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DEEPEST = 12


def read(content: bytes) -> Document:
    """Answer the CV as a page would show it."""
    found = json.loads(decode(content).lstrip("\ufeff"))
    return document_of("\n".join(_lines_of(found)), "application/json")


def _lines_of(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _entry(found["basics"], heads=("name", "label", "email", "phone", "url"), apart=True)
    for section, value in found.items():
        if section in _NOT_SHOWN or section == "basics":
            continue
        yield ""
        yield _title(section)
        for one in value if isinstance(value, list) else [value]:
            yield from _any(one, 1)


def _any(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        yield from _entry(value, depth=depth)
    elif isinstance(value, list):
        for one in value:
            yield from _any(one, depth + 1)
    elif text := _plain(value):
        yield text


def _entry(
    entry: Mapping[str, Any], heads: tuple[str, ...] = _HEADS, *, apart: bool = False, depth: int = 1
) -> Iterator[str]:
    """Yield an entry: what names it on one line (or a line each), then all the rest."""
    named = [text for key in heads if (text := _plain(entry.get(key)))]
    when = " to ".join(text for key in _DATES if (text := _plain(entry.get(key))))
    yield from named if apart else [", ".join([*named, *([when] if when else [])])]
    for key, value in entry.items():
        if key in _NOT_SHOWN or ((key in heads or key in _DATES) and not isinstance(value, (dict, list))):
            continue
        text = _plain(value)
        if text and not text.startswith("data:"):
            yield text
        elif isinstance(value, list) and all(not isinstance(one, (dict, list)) for one in value) and key == "keywords":
            yield ", ".join(filter(None, map(_plain, value)))
        else:
            yield from _any(value, depth + 1) if isinstance(value, (dict, list)) else ()


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def _title(key: str) -> str:
    return _WORDS.sub(" ", key).replace("_", " ").capitalize()
