"""What a run does to itself: write its plan, read a receipt again, keep a line, propose a fact, end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from core.errors import MemoryRefused, NotFound
from core.steps import Advance, Finish, Json, Kit, Outcome, Record, Revision, Rule, plain, tool_spec
from core.workflows.agent.state import AgentRun, Fact, Line, Slice
from core.workflows.agent.trying import in_vain

TITLE = 160
REMEMBERED_FOR = timedelta(days=180)


class WritePlan(msgspec.Struct, forbid_unknown_fields=True):
    """All steps that are not done yet, in order, and why the plan is written or changed."""

    reason: Annotated[str, Meta(min_length=1, max_length=400)]
    steps: Annotated[list[Annotated[str, Meta(min_length=1)]], Meta(min_length=1)]


class ReadReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """Which receipt, such as blob:a41f, and from which byte."""

    ref: Annotated[str, Meta(min_length=1, max_length=100)]
    offset: Annotated[int, Meta(ge=0)] = 0


class KeepLine(msgspec.Struct, forbid_unknown_fields=True):
    """What must not be forgotten until it is resolved, under a short key."""

    kind: Literal["constraint", "decision", "blocker"]
    key: Annotated[str, Meta(min_length=1, max_length=40)]
    text: Annotated[str, Meta(min_length=1, max_length=400)]


class ResolveLine(msgspec.Struct, forbid_unknown_fields=True):
    """The key of a line that no longer holds."""

    key: Annotated[str, Meta(min_length=1, max_length=40)]


class ProposeFact(msgspec.Struct, forbid_unknown_fields=True):
    """What later tasks of this workspace should know; a person allows it first."""

    topic: Annotated[str, Meta(min_length=1, max_length=40)]
    text: Annotated[str, Meta(min_length=1, max_length=400)]


class End(msgspec.Struct, forbid_unknown_fields=True):
    """How the run ends, in one line."""

    outcome: Literal["done", "given_up"]
    line: Annotated[str, Meta(min_length=1, max_length=400)]


INWARD = tuple(
    tool_spec(name, description, arguments, inward=True)
    for name, description, arguments in (
        ("write_plan", "Write all steps that are not done yet, with the reason. One step is one act.", WritePlan),
        ("read_receipt", "Read a part of an earlier tool's full output again.", ReadReceipt),
        ("keep_line", "Keep a constraint, decision or blocker in sight until it is resolved.", KeepLine),
        ("resolve_line", "Say that a kept line no longer holds.", ResolveLine),
        ("propose_fact", "Propose a fact for later tasks, under one of the topics of the policy.", ProposeFact),
        ("finish", "End the run when no step is left.", End),
    )
)


def do_inward(kit: Kit, state: AgentRun, tool: str, given: Mapping[str, Json], by: str) -> Outcome:
    """Do what the model chose; `by` is its label."""
    match tool:
        case "write_plan":
            return _write_plan(kit, state, msgspec.convert(given, WritePlan), by)
        case "read_receipt":
            return _read(kit, state, msgspec.convert(given, ReadReceipt))
        case "keep_line" | "resolve_line":
            return _keep(kit, state, given, by)
        case "propose_fact":
            return _propose(kit, state, msgspec.convert(given, ProposeFact))
        case _:
            return _finish(kit, state, msgspec.convert(given, End))


def _policy(kit: Kit) -> Mapping[str, Any]:
    return kit.config("policy").content


def _write_plan(kit: Kit, state: AgentRun, asked: WritePlan, by: str) -> Outcome:
    most = _policy(kit)["most_planned"]
    if len(asked.steps) > most:
        said = f"A plan of {len(asked.steps)} steps; at most {most} may lie ahead. Write the next ones now."
        return in_vain(kit, state, "plan_too_long", said)
    titles = tuple(plain(one, TITLE) or "Untitled" for one in asked.steps)
    reason = plain(asked.reason, 300)
    fresh = replace(state, last=None, idle=state.idle + 1)
    return Advance(fresh, f"{len(titles)} steps planned: {reason}", plan=Revision(titles, by, reason))


def _read(kit: Kit, state: AgentRun, asked: ReadReceipt) -> Outcome:
    try:
        kit.read(asked.ref)
    except NotFound:
        return in_vain(kit, state, "no_such_receipt", f"This run keeps nothing under {plain(asked.ref, 40)}.")
    reads = Slice(asked.ref, asked.offset)
    return Advance(replace(state, reads=reads, idle=state.idle + 1), "", to=kit.step)


def _keep(kit: Kit, state: AgentRun, given: Mapping[str, Json], by: str) -> Outcome:
    key = plain(str(given["key"]), 40)
    others = tuple(one for one in state.lines if one.key != key)
    lines = others
    if "text" in given:
        if len(others) >= _policy(kit)["most_lines"]:
            return in_vain(kit, state, "too_many_lines", "Too many lines are kept; resolve one that no longer holds.")
        asked = msgspec.convert(given, KeepLine)
        lines = (*others, Line(asked.kind, key, plain(asked.text), by))
    elif lines == state.lines:
        return in_vain(kit, state, "no_such_line", f"No line is kept under {key}.")
    return Advance(replace(state, lines=lines, idle=state.idle + 1), "", to=kit.step)


def fact_key(workspace: str, topic: str) -> str:
    """Name a fact of a workspace: the exact key that memory is read by."""
    return f"workspace/{workspace}/{topic}"


def _propose(kit: Kit, state: AgentRun, asked: ProposeFact) -> Outcome:
    topics = _policy(kit)["fact_topics"]
    if asked.topic not in topics:
        said = f"{plain(asked.topic, 40)} is no topic of a fact; there are {', '.join(topics)}."
        return in_vain(kit, state, "no_such_topic", said)
    key, text = fact_key(state.workspace, asked.topic), plain(asked.text)
    known = kit.recall("fact", key)
    if known is not None and known.text.casefold() in text.casefold():
        return in_vain(kit, state, "known_already", f"Memory says so already: {plain(known.text)}")
    expires_at = kit.clock.now() + REMEMBERED_FOR
    record = Record("fact", key, text, 0.6, Rule.BY_DATE, origin="model", expires_at=expires_at)
    try:
        kit.remember(record)
    except MemoryRefused as refused:
        return in_vain(kit, state, "fact_refused", refused.sentence)
    proposed = Fact(f"proposed {asked.topic}", text, state.acts)
    return Advance(replace(state, idle=state.idle + 1, facts=(*state.facts, proposed)), "", to=kit.step)


def _finish(kit: Kit, state: AgentRun, asked: End) -> Outcome:
    if asked.outcome == "given_up":
        return Finish(state, "given_up", "failed", plain(asked.line))
    if "/" in kit.step:
        return in_vain(kit, state, "steps_left", "Steps are left; do them, or write a plan without them and say why.")
    open_ones = [one.key for one in state.lines if one.kind == "blocker"]
    if open_ones:
        return in_vain(kit, state, "blocked", f"Blockers are not resolved: {', '.join(open_ones)}.")
    return Finish(state, "done", "completed", plain(asked.line))
