"""Agent runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.deciding import ThreadId
from core.cli.edge import actor_of, opened, say
from core.cli.options import As, AsJson, Tenant
from core.desk.agents import NewRun, open_run
from core.desk.replanning import Ahead
from core.desk.replanning import replan as replan_run
from core.errors import BadInput
from core.settings import MOST_HOLD_SECONDS


def replan(
    thread: ThreadId,
    reason: Annotated[str, typer.Option(help="Why the plan is written anew.")],
    who: As,
    step: Annotated[list[str] | None, typer.Option(help="A step that is to lie ahead; as often as needed.")] = None,
    seen: Annotated[
        int | None, typer.Option("--seen-revision", min=0, help="The plan's revision that you saw.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write what lies ahead of the step where an agent run stands; steps that are not named any more are skipped."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        ahead = Ahead(step or (), reason, seen)
        done = app.act(actor, "replan", lambda tx: replan_run(tx, app.desk, actor, thread, ahead))
        shaped = {"thread": thread, "revision": done.revision, "step": done.step}
        say(shaped, as_json=as_json, text=f"{thread} goes by plan {done.revision}; next is {done.step}.")


def agent(
    run_id: Annotated[str, typer.Argument(metavar="ID", help="The run's id, such as shop-migration.")],
    goal: Annotated[str, typer.Option(help="What is to be reached, in one line.")],
    folder: Annotated[Path, typer.Option(help="The folder it works in, and nothing beside it.")],
    case: Annotated[str, typer.Option(help="Which tools it may use: a case of data/policies/agent.toml.")],
    who: As,
    brief: Annotated[Path | None, typer.Option(help="What the goal needs in detail, as a file.")] = None,
    workspace: Annotated[str, typer.Option(help="Whose facts of earlier tasks are recalled.")] = "home",
    hold_seconds: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_HOLD_SECONDS, help="How long its decisions are held; else as its tenant says."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Begin a run whose next step a model chooses; it asks a person before what cannot be undone."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        try:
            text = "" if brief is None else brief.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"There is no readable brief at {brief}.") from error
        new = NewRun(run_id, goal, case, folder, text, workspace, hold_seconds)
        thread_id = app.attempt(actor, "agent", lambda: open_run(app.write, app.desk, actor, new))
        say({"thread": thread_id}, as_json=as_json, text=f"{thread_id} begins when a worker runs.")
