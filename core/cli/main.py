"""The commands' tree."""

from __future__ import annotations

import typer

from core.cli import deciding, looking, upkeep, work
from core.cli.demo import demo
from core.cli.edge import quiet_logs

app = typer.Typer(
    help="Daybook: automations that take days, and the record of who answered for them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_effects = typer.Typer(help="The ledger, and the unknown desk.", invoke_without_command=True)
_effects.callback()(looking.effects)
_effects.command("settle")(deciding.settle)

app.add_typer(work.roles, name="role")
for _command in (
    work.apply, work.worker, demo, looking.threads, looking.thread, looking.queue, looking.ask,
    deciding.decide, deciding.undo, deciding.release, deciding.amend, deciding.event,
    deciding.retry, deciding.park, deciding.cancel, upkeep.verify, upkeep.preflight, upkeep.doctor,
):  # fmt: skip
    app.command()(_command)
app.add_typer(_effects, name="effects")
app.add_typer(upkeep.clock, name="clock")
app.add_typer(upkeep.people, name="person")
app.add_typer(upkeep.tenants, name="tenant")


def run() -> None:
    """Run one command."""
    quiet_logs()
    app()
