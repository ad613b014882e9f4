"""A role written in TOML; `data/roles/role-21.toml` shows and explains the layout."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from core.catalog.booking import read_booking
from core.catalog.letters import LETTERS, PHRASES, check_letter
from core.catalog.role_notices import notice, without_unseen
from core.catalog.role_parts import (
    NO_CRITERIA,
    PROPOSALS,
    SETTINGS,
    Band,
    Criterion,
    RoleParts,
    malformed,
    read_rule,
    slug,
)

_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_ROLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_KINDS = ("yes_no", "link", "at_most_weeks")


def read_toml(text: str, file_name: str) -> RoleParts:
    """Read a role in TOML; raises BadInput with one sentence that names the line."""
    content = _load(text, file_name)
    title = content.get("title")
    if not isinstance(title, str) or not title.strip():
        raise malformed(file_name, 1, 'the role needs a title = "…"')
    role_id = content.get("id", f"role-{slug(title)}")
    if not isinstance(role_id, str) or not _ROLE_ID.fullmatch(role_id):
        raise malformed(file_name, line_of(text, "id"), "an id is lower-case letters, digits and hyphens")
    return RoleParts(
        id=role_id,
        title=title.strip(),
        description=without_unseen(str(content.get("description", ""))).strip(),
        criteria=read_criteria(content, text, file_name),
        bands=read_bands(content, text, file_name),
        bands_line=line_of(text, "[[bands]]"),
        rules=tuple(_rule(rule, nth, text, file_name) for nth, rule in enumerate(_list(content, "rules"))),
        notes=str(content.get("notes", "")).strip(),
        settings=read_settings(content.get("settings", {}), file_name, line_of(text, "[settings]")),
        letters=_letters(content.get("letters", {}), text, file_name),
        booking=read_booking(content["booking"], file_name, line_of(text, "[booking]"))
        if "booking" in content
        else None,
        noticed=(*notice(text), *_unsaid(content, file_name)),
    )


def read_toml_rubric(text: str, file_name: str) -> RoleParts:
    """Read only the criteria, the bands and the notes; id and title may be missing. Raises BadInput as above."""
    content = _load(text, file_name)
    return RoleParts(
        id="",
        title="",
        description="",
        criteria=read_criteria(content, text, file_name),
        bands=read_bands(content, text, file_name),
        bands_line=line_of(text, "[[bands]]"),
        notes=str(content.get("notes", "")).strip(),
    )


def read_criteria(content: dict[str, Any], text: str, file_name: str) -> tuple[Criterion, ...]:
    """Read the `[[criteria]]` tables, numbered by `number` or by their order."""
    criteria: list[Criterion] = []
    for nth, table in enumerate(_list(content, "criteria")):
        line = line_of(text, "[[criteria]]", nth)
        number, title, anchors = table.get("number", nth + 1), table.get("title"), table.get("anchors")
        if not (isinstance(title, str) and title.strip() and isinstance(number, int)):
            raise malformed(file_name, line, "a criterion needs a title and a whole number")
        if not (isinstance(anchors, dict) and anchors and all(key.isdigit() for key in anchors)):
            raise malformed(file_name, line, f"criterion {number} needs anchors by whole points")
        if number in {criterion.number for criterion in criteria}:
            raise malformed(file_name, line, f"criterion {number} is there twice")
        criteria.append(Criterion(number, title.strip(), {int(key): str(anchors[key]) for key in anchors}))
    return tuple(criteria)


def read_bands(content: dict[str, Any], text: str, file_name: str) -> tuple[Band, ...]:
    """Read the `[[bands]]` tables."""
    bands: list[Band] = []
    for nth, table in enumerate(_list(content, "bands")):
        low, high, proposal = table.get("low"), table.get("high"), table.get("proposal")
        if not isinstance(low, int) or not isinstance(high, int | None) or proposal not in PROPOSALS:
            line = line_of(text, "[[bands]]", nth)
            raise malformed(file_name, line, f"a band needs low, high and one proposal of {', '.join(PROPOSALS)}")
        bands.append(Band(low, high, proposal))
    return tuple(bands)


def read_settings(table: dict[str, Any], file_name: str, line: int) -> dict[str, int | None]:
    """Read a role's settings: whole numbers under known names."""
    for name, value in table.items():
        if name not in SETTINGS:
            raise malformed(file_name, line, f"no role setting is called {name}; use {', '.join(SETTINGS)}")
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise malformed(file_name, line, f"{name} must be a whole number, 0 or more")
    return dict(table)


def line_of(text: str, start: str, nth: int = 0) -> int:
    """Answer the line on which the nth entry that begins like this stands, or 1."""
    found = [number for number, line in enumerate(text.split("\n"), 1) if line.strip().startswith(start)]
    return found[nth] if nth < len(found) else 1


def _load(text: str, file_name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # The parser of Python 3.11 gives the place only in its sentence.
        place = _AT_LINE.search(str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise malformed(file_name, line, "this is not TOML") from error


def _list(content: dict[str, Any], key: str) -> list[dict[str, Any]]:
    tables = content.get(key, [])
    return [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []


def _unsaid(content: dict[str, Any], file_name: str) -> tuple[str, ...]:
    return () if content.get("criteria") else (NO_CRITERIA.format(file_name),)


def _rule(table: dict[str, Any], nth: int, text: str, file_name: str) -> dict[str, Any]:
    line = line_of(text, "[[rules]]", nth)
    title = table.get("title")
    if not isinstance(title, str) or not title.strip():
        raise malformed(file_name, line, "a rule needs a title")
    stated: dict[str, Any] = {key: table[key] for key in ("id", "form_key", "kind", "limit") if key in table}
    rule: dict[str, Any] = {**read_rule(title.strip()), **stated}
    if rule["kind"] not in _KINDS:
        raise malformed(file_name, line, f"a rule's kind is one of {', '.join(_KINDS)}")
    if rule["kind"] == "at_most_weeks" and not isinstance(rule["limit"], int):
        raise malformed(file_name, line, "a rule of at most so many weeks needs a limit")
    return {**rule, "id": stated.get("id", rule["form_key"])}


def _letters(table: dict[str, Any], text: str, file_name: str) -> dict[str, dict[str, str]]:
    known = (*LETTERS, *PHRASES)
    unknown = set(table) - set(known)
    if unknown:
        line = line_of(text, f"[letters.{min(unknown)}]")
        raise malformed(file_name, line, f"there is no letter {min(unknown)}; there are {', '.join(known)}")
    return {
        name: check_letter(name, letter, file_name, line_of(text, f"[letters.{name}]"))
        for name, letter in table.items()
    }
