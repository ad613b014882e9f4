"""A turn that came to nothing: told as a row, shown to the model next time, and counted."""

from __future__ import annotations

from dataclasses import replace

from core.steps import Advance, Kit, Tried, plain
from core.workflows.agent.state import AgentRun, Seen


def in_vain(kit: Kit, state: AgentRun, code: str, said: str, ref: str | None = None) -> Advance:
    """Stay at this step; nothing was done."""
    line = plain(said)
    state = replace(state, next_action=None, last=Seen(code, line, ref), idle=state.idle + 1)
    return Advance(state, "", to=kit.step, tried=Tried(code, line))
