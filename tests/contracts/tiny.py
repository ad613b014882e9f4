"""Workflows of a few lines, for what screening never does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.steps import Effect, Finish, Kit, Outcome, Perform, Receipt, Rule, Step, Workflow, kept
from tests.fakes import FakeAdapter
from tests.homes import Home, open_home

ONE = "tiny/one"


@dataclass(frozen=True, slots=True)
class Slip:
    """What a tiny thread keeps: lines, in order."""

    lines: tuple[str, ...] = field(default=(), metadata=kept(Rule.CLOSE_6_MONTHS))


def workflow(*performs: Perform, **more: Any) -> Workflow:
    """Make a workflow whose steps are named as their functions are."""
    steps = tuple(Step(one.__name__, one.__name__.replace("_", " ").capitalize(), one) for one in performs)
    return Workflow(**{"name": "tiny", "version": 1, "state": Slip, "steps": steps, **more})


def begun(folder: Path, tiny: Workflow, *adapters: FakeAdapter, thread_id: str = ONE, state: Any = None) -> Home:
    """Open a home with this workflow loaded, its tools behind the given adapter, and one thread of it."""
    home = open_home(folder / "home").with_code(tiny, **({"tool": adapters[0]} if adapters else {}))
    home.begin(tiny, thread_id, Slip() if state is None else state)
    return home


def tool(name: str, **payload: Any) -> Effect:
    """Name an act of a tool."""
    return Effect(name, "tool", payload)


def done(_kit: Kit, state: Any) -> Outcome:
    """End the thread."""
    return Finish(state, "done", "completed", "Done.")


def said_of(receipts: tuple[Receipt, ...]) -> Mapping[str, str | None]:
    """Answer each key's last word with the outside's reference."""
    return {one.key.rsplit("/", 1)[-1]: one.result_ref for one in receipts}
