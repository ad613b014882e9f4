"""Reads a role's text, in Markdown or TOML, into the versioned configuration that threads are pinned to.

A role's text is content. Dates and orders that stand in it are reported in `noticed` and obeyed nowhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.catalog.letters import shipped_letters
from core.catalog.role_markdown import read_markdown, read_markdown_rubric
from core.catalog.role_parts import DATA, SETTINGS, RoleParts, check_bands, malformed
from core.catalog.role_toml import read_bands, read_criteria, read_settings, read_toml, read_toml_rubric
from core.keys import canonical
from core.limits import ROLE_DESCRIPTION, ROLE_RUBRIC, ROLE_TEXT, ROLE_TITLE, check_length


@dataclass(frozen=True, slots=True)
class RoleDraft:
    """A role as understood: contents by kind, and sentences about what was noticed in its text.

    The kinds are role, description, rubric, rules and letters, and booking where the text says how a time is chosen.
    """

    id: str
    title: str
    contents: dict[str, dict[str, Any]]
    noticed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RubricDraft:
    """A rubric as understood: its content, and sentences about what was noticed in its text."""

    content: dict[str, Any]
    noticed: tuple[str, ...]


def read_role(text: str, file_name: str) -> RoleDraft:
    """Read a role file; raises BadInput with one sentence that names the line.

    The file's name decides the layout: `.toml`, else Markdown.
    """
    text = _plain(text, file_name)
    parts = (read_toml if _is_toml(file_name) else read_markdown)(text, file_name)
    rubric = _rubric(parts, file_name) if parts.criteria else _general_rubric()
    check_length(parts.title, ROLE_TITLE, f"{file_name}, the role's title,")
    check_length(parts.description, ROLE_DESCRIPTION, f"{file_name}, the role's description,")
    check_length(
        canonical([rubric, list(parts.rules)]).decode(), ROLE_RUBRIC, f"{file_name}, the role's rubric and rules,"
    )
    contents: dict[str, dict[str, Any]] = {
        "role": {"title": parts.title, **_settings(parts, file_name)},
        "description": {"text": parts.description},
        "rubric": rubric,
        "rules": {"rules": list(parts.rules)},
        "letters": {**shipped_letters(), **parts.letters},
    }
    if parts.booking is not None:
        contents["booking"] = parts.booking
    return RoleDraft(parts.id, parts.title, contents, parts.noticed)


def read_rubric(text: str, file_name: str) -> RubricDraft:
    """Read a rubric from a file of its own or from a whole role's: criteria, bands and notes, and nothing else of it.

    Raises BadInput with one sentence that names the line; a file that states no criteria is no rubric.
    """
    text = _plain(text, file_name)
    parts = (read_toml_rubric if _is_toml(file_name) else read_markdown_rubric)(text, file_name)
    if not parts.criteria:
        raise malformed(file_name, 1, "the file states no criteria, so it is no rubric; give a table of criteria")
    rubric = _rubric(parts, file_name)
    check_length(canonical(rubric).decode(), ROLE_RUBRIC, f"{file_name}, the rubric,")
    return RubricDraft(rubric, parts.noticed)


def _plain(text: str, file_name: str) -> str:
    check_length(text, ROLE_TEXT, f"{file_name}, the role's text,")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.strip():
        raise malformed(file_name, 1, "the file is empty")
    return text


def _is_toml(file_name: str) -> bool:
    return file_name.lower().endswith(".toml")


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


def check_settings(standing: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, int | None]:
    """Answer a role's settings with some of them changed, or raise BadInput for what is none."""
    kept = {name: standing.get(name, default) for name, default in SETTINGS.items()}
    return _whole({**kept, **read_settings(dict(changed), "What you gave", 1)}, "What you gave")


def _settings(parts: RoleParts, file_name: str) -> dict[str, int | None]:
    return _whole({**SETTINGS, **parts.settings}, file_name)


def _whole(settings: dict[str, int | None], file_name: str) -> dict[str, int | None]:
    window = settings["window_hours"]
    if window is None or window < 1:
        raise malformed(file_name, 1, "window_hours must be 1 or more")
    return settings


@cache
def _general_rubric() -> dict[str, Any]:
    path = DATA / "rubrics" / "general.toml"
    text = path.read_text("utf-8")
    content = tomllib.loads(text)
    criteria, bands = read_criteria(content, text, path.name), read_bands(content, text, path.name)
    return _rubric(RoleParts("", "", "", criteria, bands, 1), path.name)
