"""One turn: choose, which is one checkpoint, then act, which is the next. A model is never asked twice for one act."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.steps import (
    Advance,
    Effect,
    Finish,
    Interrupt,
    Json,
    Kit,
    Option,
    Outcome,
    Question,
    Receipt,
    ToolSpec,
    plain,
)
from core.workflows.agent.inward import INWARD, do_inward
from core.workflows.agent.packet import offered
from core.workflows.agent.state import Action, AgentRun, Fact, Line
from core.workflows.agent.trying import in_vain

LONGEST_ARGUMENTS = 1_500


def turn(tools: Sequence[ToolSpec], kit: Kit, state: AgentRun) -> Outcome:
    """Carry out what was chosen, or choose."""
    if state.next_action is not None:
        return _act(tools, kit, state, state.next_action)
    if kit.answer is not None and kit.answer.kind == "stuck":
        if kit.answer.verdict == "reject":
            return Finish(state, "stopped", "failed", "A person ended the run where it got no further.")
        hint = plain(str(kit.answer.answer.get("hint", "")))
        line = Line("decision", f"hint-{state.acts}", hint, "a person")
        state = replace(state, idle=0, chosen="", chosen_count=0, lines=(*state.lines, line))
    return _choose(tools, kit, state)


def _choose(tools: Sequence[ToolSpec], kit: Kit, state: AgentRun) -> Outcome:
    reply = kit.ask(kit.build(state))
    if reply.unfit:
        gone = in_vain(kit, state, "model_unfit", reply.unfit)
        return _ask_how(kit, gone.state, reply.unfit) if reply.is_final else _or_ask(kit, gone)
    tool, given = str(reply.content.get("tool", "")), reply.content.get("arguments")
    state = _counted(state, tool, given)
    limit = kit.config("policy").content["most_repeats"]
    if state.chosen_count >= limit:
        return _ask_how(kit, state, f"The same action was chosen {limit} times: {plain(tool, 40)} {_told(given)}.")
    spec = _find(tools, kit, state, tool)
    if isinstance(spec, str):
        return _or_ask(kit, in_vain(kit, state, "unknown_tool", spec))
    wrong = spec.check(given) or _unwritable(given)
    if wrong or not isinstance(given, dict):
        return _or_ask(kit, in_vain(kit, state, "bad_arguments", f"{tool}: {wrong or 'no arguments'}"))
    return _take(kit, state, spec, given, reply.model)


def _find(tools: Sequence[ToolSpec], kit: Kit, state: AgentRun, name: str) -> ToolSpec | str:
    """Answer a tool that may be chosen now, or what is wrong with its name."""
    for one in offered(tools, kit.config("policy").content, state.case, kit.step):
        if one.name == name:
            return one
    is_known = any(one.name == name for one in (*tools, *INWARD))
    return f"{plain(name, 40)}: {'it is not offered at this step' if is_known else 'there is no such tool'}."


def _unwritable(given: Json) -> str:
    """Answer why arguments could not be written down, or nothing."""
    try:
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return "half a character, or a number that is none"
    return ""


def _take(kit: Kit, state: AgentRun, spec: ToolSpec, given: Mapping[str, Json], by: str) -> Outcome:
    """Do what changes the run itself at once; what acts outside is a checkpoint of its own first."""
    if not spec.inward:
        return Advance(replace(state, next_action=_action(kit, spec.name, given)), "", to=kit.step)
    done = do_inward(kit, state, spec.name, given, by)
    return _or_ask(kit, done) if isinstance(done, Advance) else done


def _counted(state: AgentRun, tool: str, given: Json) -> AgentRun:
    chosen = hashlib.sha256(f"{tool} {json.dumps(given, sort_keys=True, default=str)}".encode()).hexdigest()[:16]
    return replace(state, chosen=chosen, chosen_count=state.chosen_count + 1 if chosen == state.chosen else 1)


def _told(given: Json, longest: int = 120) -> str:
    return plain(json.dumps(given, ensure_ascii=False, sort_keys=True, default=str), longest)


def _action(kit: Kit, tool: str, given: Mapping[str, Json]) -> Action:
    content = json.dumps(given, ensure_ascii=False).encode()
    if len(content) <= LONGEST_ARGUMENTS:
        return Action(tool, dict(given))
    return Action(tool, ref=kit.keep(content, "application/json"))


def _or_ask(kit: Kit, outcome: Advance) -> Outcome:
    """Ask a person where turn after turn nothing was carried out."""
    state: AgentRun = outcome.state
    if state.idle < kit.config("policy").content["most_idle"]:
        return outcome
    why = f" The last of them: {state.last.said}" if state.last else ""
    return _ask_how(kit, state, f"Nothing was carried out in {state.idle} turns.{why}")


def _ask_how(kit: Kit, state: AgentRun, why: str) -> Interrupt:
    go_on = Option("approve", "Go on, with a hint", answer={"hint": "text"})
    return Interrupt(
        state,
        Question(
            kind="stuck",
            about=kit.step.replace("/", "-"),
            title=f"The run gets no further. {plain(why, 400)}",
            options=(go_on, Option("reject", "End the run")),
            facts={"why": plain(why, 400), "acts": state.acts},
            basis={"policy": kit.config("policy").version},
        ),
    )


def _act(tools: Sequence[ToolSpec], kit: Kit, state: AgentRun, action: Action) -> Outcome:
    spec = next((one for one in tools if one.name == action.tool), None)
    if spec is None:
        return in_vain(kit, state, "unknown_tool", f"The loaded code has no tool {action.tool} any more.")
    given = action.arguments if action.ref is None else json.loads(kit.read(action.ref))
    tried = state.tried.get(kit.step, 0)
    again = f"/{tried + 1}" if tried else ""
    payload = {"tool": spec.name, "arguments": given, "folder": state.folder}
    effect = Effect(f"{kit.step}/{spec.name}{again}", "tool", payload)
    if not spec.reversible:
        if kit.answer is None or kit.answer.kind != "tool":
            return Interrupt(state, _question(kit, state, spec, effect))
        if kit.answer.verdict == "reject":
            return _not_wanted(kit, state, spec, given)
        effect = kit.answer.effects[0]
    return _distil(kit, state, spec, kit.once(effect))


def _question(kit: Kit, state: AgentRun, spec: ToolSpec, effect: Effect) -> Question:
    given: Any = effect.payload["arguments"]
    said = ", ".join(f"{name} {plain(str(value), 60)}" for name, value in given.items())
    return Question(
        kind="tool",
        about=effect.name.replace("/", "-"),
        title=f"May this run do what cannot be undone: {spec.name} ({said})?",
        options=(Option("approve", f"Yes, {spec.name.replace('_', ' ')}", (effect,)), Option("reject", "No")),
        facts={"tool": spec.name, "does": spec.description, "folder": plain(state.folder), "acts": state.acts},
        basis={"policy": kit.config("policy").version},
    )


def _not_wanted(kit: Kit, state: AgentRun, spec: ToolSpec, given: Json) -> Outcome:
    assert kit.answer is not None  # noqa: S101 - whoever calls has looked
    reason = f": {plain(kit.answer.reason)}" if kit.answer.reason else ""
    text = plain(f"Do not {spec.name} {_told(given)}{reason}")
    line = Line("decision", f"no-{kit.step.replace('/', '-')}", text, "a person")
    return in_vain(kit, replace(state, lines=(*state.lines, line), tried=_tried(kit, state)), "not_wanted", text)


def _distil(kit: Kit, state: AgentRun, spec: ToolSpec, receipt: Receipt) -> Outcome:
    """Take one line, the facts and the reference of what a tool brought; the rest stays behind the reference."""
    state = replace(state, tried=_tried(kit, state))
    if receipt.result_ref is None:
        return in_vain(kit, state, "held_back", f"{spec.name} was kept in: {receipt.held_back}.")
    ref = receipt.result_ref
    is_kept = ref.startswith("blob:")
    head = _head(kit.read(ref)) if is_kept else {"line": f"A person wrote down that it happened: {ref}"}
    if head.get("code"):
        return in_vain(kit, state, str(head["code"]), str(head["line"]), ref)
    acts = state.acts + 1
    done = replace(
        state, next_action=None, acts=acts, idle=0, last=None, reads=None,
        tried={step: count for step, count in state.tried.items() if step != kit.step},
        facts=_facts(kit, state, head, acts),
        tally={**state.tally, spec.name: state.tally.get(spec.name, 0) + 1},
    )  # fmt: skip
    return Advance(done, plain(str(head["line"])), receipts=(ref,) if is_kept else ())


def _tried(kit: Kit, state: AgentRun) -> dict[str, int]:
    """Count one more act at this row, so that its next one has a key of its own."""
    return {**state.tried, kit.step: state.tried.get(kit.step, 0) + 1}


def _head(content: bytes) -> Mapping[str, Any]:
    try:
        head = json.loads(content[: content.index(b"\n")])
    except ValueError:
        return {"line": f"An answer of {len(content)} bytes"}
    return head if isinstance(head, dict) and "line" in head else {"line": f"An answer of {len(content)} bytes"}


def _facts(kit: Kit, state: AgentRun, head: Mapping[str, Any], acts: int) -> tuple[Fact, ...]:
    """Put what a tool stated in place of what stood under its name; the oldest go where there are too many."""
    stated = head.get("facts") or {}
    new = {plain(name, 80): Fact(plain(name, 80), plain(str(text)), acts) for name, text in stated.items()}
    kept = [one for one in state.facts if one.name not in new]
    return (*kept, *new.values())[-kit.config("policy").content["most_facts"] :]
