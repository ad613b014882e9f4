"""What an agent run has established: a few KB whatever came before, for completed steps are rows of the plan."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from core.steps import Kind, Rule, kept

_KEPT = kept(Rule.CLOSE_6_MONTHS, subject=False)
_INPUT = kept(Rule.CLOSE_6_MONTHS, kind=Kind.INPUT, subject=False)
LineKind = Literal["constraint", "decision", "blocker"]


@dataclass(frozen=True, slots=True)
class Action:
    """What the model chose, checked and not yet carried out. Long arguments are kept behind `ref`."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of the last try at this step: a short code, a sentence, the receipt of what the tool answered."""

    code: str
    said: str
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A working fact as a tool stated it, and the number of the act that established it."""

    name: str
    text: str
    act: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line that no folding loses until it is resolved: a constraint, a decision, a blocker; `by` is who said it."""

    kind: LineKind
    key: str
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of a receipt that the next call reads."""

    ref: str
    offset: int


@dataclass(frozen=True, slots=True)
class AgentRun:
    """The state of one run. `case` names the tools it may use, `workspace` where facts of other tasks are recalled.

    `tried` counts the acts at rows of the plan that are not done, `idle` the turns in a row without an
    act.
    """

    case: str = field(metadata=_INPUT)
    brief: str = field(metadata=_INPUT)
    folder: str = field(metadata=_INPUT)
    workspace: str = field(metadata=_INPUT)

    next_action: Action | None = field(default=None, metadata=_KEPT)
    acts: int = field(default=0, metadata=_KEPT)
    tried: dict[str, int] = field(default_factory=dict, metadata=_KEPT)
    idle: int = field(default=0, metadata=_KEPT)
    chosen: str = field(default="", metadata=_KEPT)
    chosen_count: int = field(default=0, metadata=_KEPT)
    last: Seen | None = field(default=None, metadata=_KEPT)
    facts: tuple[Fact, ...] = field(default=(), metadata=_KEPT)
    lines: tuple[Line, ...] = field(default=(), metadata=_KEPT)
    tally: dict[str, int] = field(default_factory=dict, metadata=_KEPT)
    reads: Slice | None = field(default=None, metadata=_KEPT)


def folder_of(state: AgentRun) -> str:
    """Answer the folder that a run works on."""
    return state.folder


def placed(state: AgentRun, folder: str) -> AgentRun:
    """Answer the state of a run that goes on in another folder."""
    return replace(state, folder=folder)
