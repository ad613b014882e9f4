"""Agent runs: a workflow whose next step a model chooses, resumed from rows and never from a transcript."""

from core.workflows.agent.state import AgentRun, folder_of, placed
from core.workflows.agent.workflow import agent_workflow

__all__ = ["AgentRun", "agent_workflow", "folder_of", "placed"]
