"""The agent workflow: a plan that a model writes, a row of it at a time, and an end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.steps import Packet, Sources, State, Step, ToolSpec, Workflow
from core.workflows.agent.packet import SLOTS, build
from core.workflows.agent.state import AgentRun
from core.workflows.agent.turn import turn


def agent_workflow(tools: Sequence[ToolSpec], name: str = "agent") -> Workflow:
    """Make the workflow over these tools. Which of them a run may use, its case says in the policy."""
    perform = partial(turn, tuple(tools))

    def context(rows: Sources, state: State) -> Packet:
        return build(rows, state, tools)

    return Workflow(
        name=name,
        version=1,
        state=AgentRun,
        steps=(
            Step("plan", "Make a plan", perform),
            Step("step", "Step", perform, repeats=True),
            Step("close", "Close the run", perform),
        ),
        slots=SLOTS,
        context=context,
        may_ask_memory=True,
    )
