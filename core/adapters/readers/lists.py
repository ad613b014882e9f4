"""What may be about applications and is none: tables, lists of forms, role texts."""

from __future__ import annotations

import csv
import json
import re
from pathlib import PurePath

from core.adapters.readers.reasons import JSON_DATA, ROLE_TEXT, TABLE
from core.errors import UnreadableFile

_LEAST_CELLS, _LEAST_ROWS = 3, 4
# None of these reads past its line, or begins again in what it has read: files come with 300,000 blank lines.
_RUBRIC = re.compile(r"^[ \t]*\|[^|\n]*\|[ \t]*criterion\b", re.IGNORECASE | re.MULTILINE)
_ROLE_HEADING = re.compile(
    r"^[^\w\n]{0,20}(duties|key objectives|role summary|qualifications|benefits|how to apply|salary|about the role"
    r"|applications are[ \w]{0,80}|what we offer|responsibilities)\b[^\w\n]{0,20}$",
    re.IGNORECASE | re.MULTILINE,
)
# A CV may have duties and qualifications; it never says how to apply or what it pays.
_ONLY_IN_ROLES = re.compile(r"benefits|how to apply|salary|about the role|applications are|what we offer")


def refuse_tables(text: str, name: str) -> None:
    """Raise UnreadableFile where the text is rows of a table."""
    if _is_table(text, name):
        raise UnreadableFile(TABLE)


def refuse_role_texts(text: str) -> None:
    """Raise UnreadableFile where the text, of whatever format it came, describes a role."""
    headings = {found.lower() for found in _ROLE_HEADING.findall(text)}
    speaks_of_role = len(headings) > 2 and any(map(_ONLY_IN_ROLES.match, headings))
    if _RUBRIC.search(text) or speaks_of_role:
        raise UnreadableFile(ROLE_TEXT)


def is_json_resume(text: str) -> bool:
    """Say whether the text is a CV written as JSON; raises UnreadableFile where it is JSON of another kind."""
    if not text.startswith(("{", "[")):
        return False
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise UnreadableFile(JSON_DATA) from error
    except ValueError:
        return False
    if not _is_resume(found):
        raise UnreadableFile(JSON_DATA)
    return True


def _is_table(text: str, name: str) -> bool:
    """Say whether it is called a table, or one mark parts nearly all of its lines into equally many cells."""
    lines = text.removeprefix("\ufeff").splitlines()[:60]
    return PurePath(name).suffix.lower() in {".csv", ".tsv"} or any(_is_parted(lines, mark) for mark in ",;\t")


def _is_parted(lines: list[str], mark: str) -> bool:
    try:
        widths = [len(row) for row in csv.reader(lines, delimiter=mark) if row]
    except csv.Error:
        return False
    usual = max(set(widths), key=widths.count, default=0)
    alike = widths.count(usual)
    return usual >= _LEAST_CELLS and alike >= _LEAST_ROWS and alike * 10 >= len(widths) * 7


def _is_resume(found: object) -> bool:
    """Say whether parsed JSON is a CV by its fields: it has `basics`, with a name or an address."""
    if not isinstance(found, dict) or not isinstance(found.get("basics"), dict):
        return False
    return bool({"name", "email"} & set(found["basics"]))
