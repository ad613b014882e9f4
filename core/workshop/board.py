"""The teacher's board: what each team has done, as ticks and as CSV. It counts, and opens nothing of a team."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from core.bootstrap import App
from core.clock import iso
from core.people.teams import Team, list_teams, read_ticks
from core.workshop.crash import SEAMS, WAYS
from core.workshop.facts import FACTS, TICK
from core.workshop.team_rows import read_rows
from core.workshop.ticks import read_steps

COLUMNS = ("Facts", "Window", "Atlas 1", "Atlas 2", "Atlas 3", "Atlas 4", "Atlas 5", "Crash", "Contaminate", "Deletion",
           "Clinic")  # fmt: skip
_TROUBLES, _FAILURES = 7, 4


@dataclass(frozen=True, slots=True)
class Cell:
    """One team at one exercise: so many of so many."""

    done: int
    of: int

    @property
    def is_done(self) -> bool:
        """Say whether all of it is done."""
        return self.done >= self.of


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One team's line: its cells in the order of COLUMNS, and when it last did something, by the machine's time."""

    team: Team
    name: str
    cells: tuple[Cell, ...]
    last: str | None

    @property
    def done(self) -> int:
        """How many exercises are done."""
        return sum(one.is_done for one in self.cells)


def read_board(app: App) -> list[BoardLine]:
    """Answer every team's line, each read as that team, by its number."""
    with app.read() as conn:
        teams = [team for team in list_teams(conn) if not team.is_teacher]
    return [_line(app, team) for team in teams]


def _line(app: App, team: Team) -> BoardLine:
    actor = app.actor(team.tenant_id, None, "page")
    with app.read() as conn:
        ticks = read_ticks(conn, team.tenant_id)
    rows = read_rows(app, actor, team)
    steps = [0] * 5 if rows is None else [int(step.is_done) for step in read_steps(rows)]

    def count(start: str) -> int:
        return sum(name.startswith(start) for name in ticks)

    facts = ticks.get(TICK)
    repaired = {name.split(".")[1] for name in ticks if name.startswith("clinic.") and name.endswith(".repair")}
    caused = {name.split(".")[1] for name in ticks if name.startswith("clinic.") and name.endswith(".cause")}
    cells = (
        Cell(int(facts.detail.get("right", 0)) if facts else 0, len(FACTS)),
        Cell(count("window"), 1),
        *(Cell(one, 1) for one in steps),
        Cell(count("crash."), len(WAYS) * len(SEAMS)),
        Cell(count("contaminate."), _TROUBLES),
        Cell(min(count("deletion."), 3), 3),
        Cell(len(repaired & caused), _FAILURES),
    )
    last = max((one.at for one in ticks.values()), default=None)
    return BoardLine(team, actor.tenant.name, cells, iso(last) if last else None)


def write_results(lines: Sequence[BoardLine]) -> str:
    """Write the board as CSV: a line a team, so many of so many in each column."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["team", "name", *(word.lower() for word in COLUMNS), "done", "last"])
    for line in lines:
        cells = [f"{one.done}/{one.of}" for one in line.cells]
        writer.writerow([line.team.tenant_id, line.name, *cells, line.done, line.last or ""])
    return text.getvalue()
