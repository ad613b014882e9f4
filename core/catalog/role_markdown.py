"""A role written in Markdown: a heading, prose, a line of rules, a table of criteria, a line of bands.

# Role 14: senior brand designer (four days a week)
prose                                               the job description
Rules checked before scoring: first; second; third.
| # | Criterion | 0 | 1 | 3 | 5 |                   anchors by points
notes for the scorer
Below 12: decline. 12 to 17: review. 18 and up: invite.
## Settings                                         window_hours: 36, one a line; the only place for them
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.catalog.role_notices import notice, without_unseen
from core.catalog.role_parts import NO_CRITERIA, Band, Criterion, RoleParts, malformed, read_rule, slug
from core.catalog.role_toml import read_settings

_HEADING = re.compile(r"^#{1,6}\s*([^#\s].*)$")
_ROLE = re.compile(r"role\s+(\d{1,9})\s*[:.\u2013\u2014-]\s*(.+)", re.IGNORECASE)
_RULES = re.compile(r"^rules\b[^:]{0,80}:\s*(.*)$", re.IGNORECASE)
_BULLET = re.compile(r"^\s*[-*+]\s+(.*)$")
_SETTING = re.compile(r"(?:[-*+]\s*)?([a-z_]+)\s*[:=]\s*(\d{1,9})")
_BAND = re.compile(
    r"(?:\b(?:below|under)\s+(?P<below>\d{1,6})|\b(?P<low>\d{1,6})\s*(?:to|-|\u2013)\s*(?P<high>\d{1,6})"
    r"|\b(?P<up>\d{1,6})\s+(?:and|or)\s+(?:up|above|over|more|higher))\s*:\s*(?P<what>[^.;]*)",
    re.IGNORECASE,
)
_PROPOSAL = re.compile(r"\b(declin|review|invit)", re.IGNORECASE)
_PROPOSALS = {"declin": "decline", "review": "review", "invit": "invite"}
_SUM = re.compile(r"\btotal\b.{0,80}\bsum\b.{0,80}\b0 to (\d{1,6})", re.IGNORECASE)
_MOST_DIGITS = 6


@dataclass(slots=True)
class _Reading:
    """What has been read so far, line by line."""

    file_name: str
    heading: str | None = None
    description: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    criteria: list[Criterion] = field(default_factory=list)
    bands: list[Band] = field(default_factory=list)
    bands_line: int = 1
    settings: dict[str, int | None] = field(default_factory=dict)
    noticed: list[str] = field(default_factory=list)
    within: str = "text"

    def wrong(self, line: int, what: str) -> Exception:
        """Build the refusal that names this file and line."""
        return malformed(self.file_name, line, what)


def read_markdown(text: str, file_name: str) -> RoleParts:
    """Read a role in Markdown; raises BadInput with one sentence that names the line."""
    return _parts(*_read(text, file_name))


def read_markdown_rubric(text: str, file_name: str) -> RoleParts:
    """Read only the criteria, the bands and the notes; a heading may be missing. Raises BadInput as above."""
    reading, _ = _read(text, file_name)
    _check_rubric(reading, numbered=False)
    return _rubric_parts(reading)


def _read(text: str, file_name: str) -> tuple[_Reading, str | None]:
    reading = _Reading(file_name, noticed=notice(text))
    first, title = _front_matter(text)
    for number, line in enumerate(without_unseen(text).split("\n"), 1):
        if number > first:
            _take(reading, number, line.rstrip())
    return reading, title


def _front_matter(text: str) -> tuple[int, str | None]:
    """Answer the number of the last line of a `---` block at the top, and the title that it gives."""
    lines = text.split("\n")
    if lines[0].strip() != "---" or "---" not in [line.strip() for line in lines[1:40]]:
        return 0, None
    end = [line.strip() for line in lines[1:]].index("---") + 1
    titles = [line.split(":", 1)[1].strip(" \"'") for line in lines[1:end] if line.startswith("title:")]
    return end + 1, titles[0] if titles else None


def _take(reading: _Reading, number: int, line: str) -> None:
    if line.lstrip().startswith("|") and _take_row(reading, number, line):
        return
    if reading.within == "rules" and (bullet := _BULLET.match(line)):
        reading.rules.append(bullet[1])
    elif heading := _HEADING.match(line):
        _take_heading(reading, heading[1].rstrip().rstrip("#").rstrip(), line)
    elif rules := _RULES.match(line):
        reading.within = "rules"
        reading.rules += [rules[1]] if rules[1] else []
    elif reading.within == "settings" and line.strip():
        _take_setting(reading, number, line)
    elif not _take_bands(reading, number, line):
        _take_prose(reading, line)


def _take_row(reading: _Reading, number: int, line: str) -> bool:
    """Take a row of the table of criteria; other tables are prose."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    points = [int(cell) for cell in cells if _is_number(cell)]
    if reading.within != "table":
        if len(points) < 2:
            return False
        if cells[1].lower() != "criterion" or len(points) != len(cells) - 2:
            raise reading.wrong(number, "the table of criteria begins with #, Criterion and the points")
        if reading.points:
            raise reading.wrong(number, "there is a second table of criteria")
        reading.within, reading.points = "table", points
    elif not set(line) <= set("|-: "):
        reading.criteria.append(_criterion(reading, number, cells))
    return True


def _criterion(reading: _Reading, number: int, cells: list[str]) -> Criterion:
    width = len(reading.points) + 2
    if len(cells) != width:
        raise reading.wrong(number, f"this row has {len(cells)} cells and the table has {width}")
    if not _is_number(cells[0]):
        raise reading.wrong(number, "a criterion begins with its number")
    if not all(cells):
        raise reading.wrong(number, f"criterion {cells[0]} has an empty cell")
    if int(cells[0]) in {criterion.number for criterion in reading.criteria}:
        raise reading.wrong(number, f"criterion {cells[0]} is there twice")
    return Criterion(int(cells[0]), cells[1], dict(zip(reading.points, cells[2:], strict=True)))


def _is_number(cell: str) -> bool:
    return cell.isdecimal() and len(cell) <= _MOST_DIGITS


def _take_heading(reading: _Reading, heading: str, line: str) -> None:
    reading.within = "settings" if heading.lower() == "settings" else "text"
    if reading.heading is None and reading.within == "text":
        reading.heading = heading
    elif reading.within == "text":
        reading.description.append(line)


def _take_setting(reading: _Reading, number: int, line: str) -> None:
    setting = _SETTING.fullmatch(line.strip())
    if not setting:
        raise reading.wrong(number, "a setting is a name and a whole number, such as window_hours: 36")
    reading.settings |= read_settings({setting[1]: int(setting[2])}, reading.file_name, number)


def _take_bands(reading: _Reading, number: int, line: str) -> bool:
    found = [(match, kind) for match in _BAND.finditer(line) if (kind := _PROPOSAL.search(match["what"]))]
    for match, kind in found:
        reading.bands.append(_band(match, _PROPOSALS[kind[1].lower()]))
        reading.bands_line = number
    return bool(found)


def _band(match: re.Match[str], proposal: str) -> Band:
    if match["below"]:
        return Band(0, int(match["below"]) - 1, proposal)
    if match["up"]:
        return Band(int(match["up"]), None, proposal)
    return Band(int(match["low"]), int(match["high"]), proposal)


def _take_prose(reading: _Reading, line: str) -> None:
    if reading.within in ("table", "notes"):
        reading.within = "notes"
        reading.notes.append(line)
    else:
        reading.within = "text" if line.strip() else reading.within
        reading.description.append(line)


def _parts(reading: _Reading, front_title: str | None) -> RoleParts:
    role = _ROLE.match(reading.heading or "")
    heading = front_title or reading.heading
    if heading is None:
        raise reading.wrong(1, "a role begins with a heading such as # Role 14: senior brand designer")
    _check_rubric(reading, numbered=role is not None)
    title = (role[2] if role else heading).strip()
    title = title.partition("(")[0].rstrip() if title.endswith(")") else title
    description = "\n".join([role[2] if role else heading, "", *reading.description])
    return RoleParts(
        id=f"role-{int(role[1])}" if role else f"role-{slug(title) or 'untitled'}",
        title=title[:1].upper() + title[1:],
        description=re.sub(r"\n{3,}", "\n\n", description).strip(),
        criteria=tuple(reading.criteria),
        bands=tuple(reading.bands),
        bands_line=reading.bands_line,
        rules=tuple(read_rule(rule) for rule in _rule_titles(reading.rules)),
        notes="\n".join(reading.notes).strip(),
        settings=reading.settings,
        noticed=(*reading.noticed, *_unsaid(reading)),
    )


def _rubric_parts(reading: _Reading) -> RoleParts:
    return RoleParts(
        id="",
        title="",
        description="",
        criteria=tuple(reading.criteria),
        bands=tuple(reading.bands),
        bands_line=reading.bands_line,
        notes="\n".join(reading.notes).strip(),
        noticed=(*reading.noticed, *_unsaid(reading)),
    )


def _check_rubric(reading: _Reading, *, numbered: bool) -> None:
    if reading.criteria and not reading.bands:
        raise reading.wrong(1, "the role has criteria and no bands such as Below 12: decline")
    if not reading.criteria and (numbered or reading.bands or reading.points):
        raise reading.wrong(reading.bands_line, "the role has no table of criteria")


def _rule_titles(rules: list[str]) -> list[str]:
    titles = [part.strip().rstrip(".").strip() for rule in rules for part in rule.split(";")]
    return [title for title in titles if title]


def _unsaid(reading: _Reading) -> list[str]:
    if not reading.criteria:
        return [NO_CRITERIA.format(reading.file_name)]
    maximum = sum(criterion.maximum for criterion in reading.criteria)
    stated = [int(match[1]) for note in reading.notes if (match := _SUM.search(note))]
    return [
        f"The text says 0 to {total}; the criteria add up to {maximum}, which is used."
        for total in stated
        if total != maximum
    ]
