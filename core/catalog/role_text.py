"""Reads a role's text, in Markdown or TOML, into the versioned configuration that threads are pinned to.

A role's text is content. Dates and orders that stand in it are reported in `noticed` and obeyed nowhere.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.catalog.role_markdown import read_markdown
from core.catalog.role_parts import DATA, LETTERS, SETTINGS, RoleParts, check_bands, check_letter, malformed
from core.catalog.role_toml import read_bands, read_criteria, read_toml


@dataclass(frozen=True, slots=True)
class RoleDraft:
    """A role as understood: contents by kind, and sentences about what was noticed in its text.

    The kinds are role, description, rubric, rules and letters.
    """

    id: str
    title: str
    contents: dict[str, dict[str, Any]]
    noticed: tuple[str, ...]


def read_role(text: str, file_name: str) -> RoleDraft:
    """Read a role file; raises BadInput with one sentence that names the line.

    The file's name decides the layout: `.toml`, else Markdown.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.strip():
        raise malformed(file_name, 1, "the file is empty")
    parts = (read_toml if file_name.lower().endswith(".toml") else read_markdown)(text, file_name)
    rubric = _rubric(parts, file_name) if parts.criteria else _general_rubric()
    contents: dict[str, dict[str, Any]] = {
        "role": {"title": parts.title, **_settings(parts, file_name)},
        "description": {"text": parts.description},
        "rubric": rubric,
        "rules": {"rules": list(parts.rules)},
        "letters": {**_letters(), **parts.letters},
    }
    return RoleDraft(parts.id, parts.title, contents, parts.noticed)


def _rubric(parts: RoleParts, file_name: str) -> dict[str, Any]:
    maximum = sum(criterion.maximum for criterion in parts.criteria)
    bands = check_bands(parts.bands, maximum, file_name, parts.bands_line)
    return {
        "criteria": [
            {
                "number": criterion.number,
                "title": criterion.title,
                "anchors": {str(points): words for points, words in sorted(criterion.anchors.items())},
                "maximum": criterion.maximum,
            }
            for criterion in parts.criteria
        ],
        "bands": [{"low": band.low, "high": band.high, "proposal": band.proposal} for band in bands],
        "max_total": maximum,
        "notes": parts.notes,
    }


def _settings(parts: RoleParts, file_name: str) -> dict[str, int | None]:
    settings = {**SETTINGS, **parts.settings}
    window = settings["window_hours"]
    if window is None or window < 1:
        raise malformed(file_name, 1, "window_hours must be 1 or more")
    return settings


@cache
def _letters() -> dict[str, dict[str, str]]:
    path = DATA / "letters" / "en.toml"
    letters = tomllib.loads(path.read_text("utf-8"))
    return {name: check_letter(name, letters[name], path.name, 1) for name in LETTERS}


@cache
def _general_rubric() -> dict[str, Any]:
    path = DATA / "rubrics" / "general.toml"
    text = path.read_text("utf-8")
    content = tomllib.loads(text)
    criteria, bands = read_criteria(content, text, path.name), read_bands(content, text, path.name)
    return _rubric(RoleParts("", "", "", criteria, bands, 1), path.name)
