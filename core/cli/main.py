"""The commands' tree."""

from __future__ import annotations

import typer

from core.cli import costs, deciding, jobs, keys, letters, looking, role_changes, runs, upkeep, work
from core.cli.agent import agent, replan
from core.cli.context import context
from core.cli.demo import demo
from core.cli.duties import duties
from core.cli.edge import quiet_logs
from core.cli.memory import memories
from core.cli.moving import move
from core.cli.notes import notes

app = typer.Typer(
    help="Daybook: automations that take days, and the record of who answered for them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_effects = typer.Typer(help="The ledger, and the unknown desk.", invoke_without_command=True)
_effects.callback()(looking.effects)
_effects.command("settle")(deciding.settle)

for _name, _change in (
    ("show", role_changes.role_show), ("rubric", role_changes.role_rubric),
    ("close", role_changes.role_close), ("open", role_changes.role_open),
):  # fmt: skip
    work.roles.command(_name)(_change)
_costs = typer.Typer(help="What models cost: recorded, estimated, unpriced.", invoke_without_command=True)
_costs.callback()(costs.costs)

app.add_typer(work.roles, name="role")
for _command in (
    work.apply, work.worker, demo, looking.threads, looking.thread, looking.queue, looking.ask,
    deciding.decide, deciding.undo, deciding.release, deciding.amend, deciding.event, deciding.seen,
    letters.retract, deciding.retry, deciding.park, deciding.cancel, upkeep.verify, upkeep.preflight, upkeep.doctor,
    upkeep.sending, move,
):  # fmt: skip
    app.command()(_command)
for _of_jobs in (context, agent, replan, jobs.reconcile, jobs.token, jobs.resume):
    app.command()(_of_jobs)
for _name, _of_run in (
    ("fork", runs.fork), ("next", runs.coming), ("compare", runs.compare), ("ask-again", runs.ask_again),
    ("deadline", runs.deadline), ("resend", runs.resend), ("fixture", runs.fixture),
):  # fmt: skip
    app.command(_name)(_of_run)
app.add_typer(_effects, name="effects")
app.add_typer(memories, name="memory")
app.add_typer(notes, name="note")
app.add_typer(_costs, name="costs")
app.add_typer(duties, name="duty")
app.add_typer(upkeep.clock, name="clock")
app.add_typer(upkeep.people, name="person")
app.add_typer(keys.api_keys, name="key")
app.add_typer(upkeep.tenants, name="tenant")


def run() -> None:
    """Run one command."""
    quiet_logs()
    app()
