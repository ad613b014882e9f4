"""A table in a file: its header wherever it stands, its rows, and the totals row, which is no record. Pure."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.workflows.reconciliation.figures import COMMA, POINT, find_decimal
from core.workflows.reconciliation.letters import decode

DELIMITERS = ("\t", ";", ",", "|")
MOST_ROWS = 200_000
# By what a column is called, the likeliest first; ids stay text whatever they look like.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("campaign id", "campaignid", "kampagnen-id", "id", "ad id"),
    "name": ("campaign name", "campaign", "kampagne", "name"),
    "currency": ("currency code", "currency", "account currency", "w\u00e4hrung"),
    "cost": ("cost", "spend", "amount spent", "kosten"),
    "cost_micros": ("cost micros",),
    "impressions": ("impressions", "impr.", "impr", "impressionen"),
    "clicks": ("clicks", "link clicks", "inline link clicks", "klicks"),
    "budget": ("approved budget", "budget"),
    "updated_at": ("updated at", "last updated", "modified"),
}
FIGURES = ("cost", "cost_micros", "impressions", "clicks", "budget")
_TOTAL = re.compile(r"(grand )?totals?\b|gesamt\b|summe\b", re.IGNORECASE)
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """What stands in a file. `rows` hold the columns that are known here, `totals` the control figures, if any."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: Row | None
    encoding: str
    delimiter: str
    decimal: str

    @property
    def read_as(self) -> str:
        """Say how the file was read, for a person to check."""
        delimiter = {"\t": "tab", ";": "semicolon", ",": "comma"}.get(self.delimiter, self.delimiter)
        mark = "comma" if self.decimal == COMMA else "point"
        return f"{self.encoding}, {delimiter} between columns, decimal {mark}"


def read_table(content: bytes, decimal: str = "") -> Table:
    """Read a file's table; `decimal` overrides the decimal mark that is found. Raises BadInput."""
    text, encoding = decode(content)
    text = text.removeprefix("\ufeff").replace("\0", "")
    delimiter, lines, at = _find_header(text)
    columns = _known(lines[at])
    rows, totals = [], None
    for line in lines[at + 1 :]:
        row = {name: line[place].strip() if place < len(line) else "" for name, place in columns.items()}
        if not any(row.values()):
            continue
        if _is_total(row, line):
            totals = row
        else:
            rows.append(row)
    cells = [row[name] for row in [*rows, *([totals] if totals else [])] for name in FIGURES if name in row]
    mark = decimal or find_decimal(cells, COMMA if delimiter == ";" else POINT)
    return Table(tuple(columns), tuple(rows), totals, encoding, delimiter, mark)


def _find_header(text: str) -> tuple[str, list[list[str]], int]:
    """Find the first line that names at least two known columns, whatever stands above it."""
    best: tuple[int, str, list[list[str]], int] | None = None
    for delimiter in DELIMITERS:
        lines = _split(text, delimiter)
        at = next((place for place, line in enumerate(lines[:100]) if len(_known(line)) >= 2), None)
        if at is not None and (best is None or len(_known(lines[at])) > best[0]):
            best = (len(_known(lines[at])), delimiter, lines, at)
    if best is None:
        raise BadInput("No line of the file names its columns, such as Campaign ID and Cost.")
    return best[1], best[2], best[3]


def _split(text: str, delimiter: str) -> list[list[str]]:
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise BadInput(f"The file cannot be read as a table: {error}.") from error
    if len(lines) > MOST_ROWS:
        raise BadInput(f"The file has more than {MOST_ROWS} lines.")
    return lines


def _known(line: Sequence[str]) -> dict[str, int]:
    names = [fold(cell.replace("_", " ")) for cell in line]
    found: dict[str, int] = {}
    for column, aliases in COLUMNS.items():
        place = next((names.index(alias) for alias in aliases if alias in names), None)
        if place is not None:
            found[column] = place
    return found


def _is_total(row: Row, line: Sequence[str]) -> bool:
    """Say whether a line adds the others up: its id says so, or it has none and its first word does."""
    if row.get("id"):
        return _TOTAL.match(row["id"]) is not None
    first = next((cell.strip() for cell in line if cell.strip()), "")
    return _TOTAL.match(first) is not None


def fold(text: str) -> str:
    """Answer a text as names are compared: one form of each character, no case, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
