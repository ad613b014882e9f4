"""A workflow of two steps that kill their own process, or answer oddly, where a file beside the home says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.steps import Advance, Finish, Kit, Outcome, Rule, Step, Workflow, kept
from tests.crash import seams
from tests.homes import Home


@dataclass(frozen=True, slots=True)
class Errand:
    """Where the step looks for what kills it: each process that finds a line there takes it away and dies."""

    deadly: str = field(metadata=kept(Rule.ROLE_CLOSE))


def fetch(_kit: Kit, state: Errand) -> Outcome:
    _meet_death(Path(f"{state.deadly}.fetch"))
    odd: Any = 7 if Path(f"{state.deadly}.odd").exists() else "Fetched."
    return Advance(state, odd)


def carry(_kit: Kit, state: Errand) -> Outcome:
    _meet_death(Path(f"{state.deadly}.carry"))
    return Finish(state, "carried", "completed", "Carried.")


def _meet_death(deaths: Path) -> None:
    left = int(deaths.read_text()) if deaths.exists() else 0
    if left:
        deaths.write_text(str(left - 1))
        seams.die()


ERRANDS = Workflow(
    name="errands", version=1, state=Errand, steps=(Step("fetch", "Fetch", fetch), Step("carry", "Carry", carry))
)


def open_errand(home: Home, name: str, **deaths: int) -> str:
    """Begin an errand; `fetch=3` makes that step kill its process three times."""
    deadly = home.app.home.parent / name
    for step, count in deaths.items():
        Path(f"{deadly}.{step}").write_text(str(count))
    return home.begin(ERRANDS, name, Errand(str(deadly)))
