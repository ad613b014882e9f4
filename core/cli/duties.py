"""Commands for what a tenant does at a local time."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from core.bootstrap import App
from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.clock import iso, say_span
from core.desk.duties import DUTIES, check_duty, set_duty_time, switch_duty_off
from core.duties.calendar import Due, Rule, preview, read_rule, say_moved, say_rule
from core.duties.duties import Duty, Run, list_duties, list_runs
from core.steps import Json

duties = typer.Typer(help="What is done at a local time of every day or week.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help=f"The duty: {', '.join(DUTIES)}.")]
At = Annotated[str, typer.Option("--at", help="The local time, such as 03:30.")]
Zone = Annotated[str | None, typer.Option("--zone", help="Its time zone; left out it is DAYBOOK_TIMEZONE.")]
On = Annotated[str | None, typer.Option("--on", help="Only on this weekday, such as monday.")]


@duties.command("list")
def duty_list(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List the duties there are, when each is done, and what its last run came to."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            known = list_duties(conn, tenant_id)
            runs = {name: next(iter(list_runs(conn, tenant_id, name, most=1)), None) for name in DUTIES}
        shaped = [{**_shaped(name, known.get(name)), "last": _of_run(runs[name])} for name in DUTIES]
        rows = [(name, known[name].said if name in known else "off", DUTIES[name]) for name in DUTIES]
        say(shaped, as_json=as_json, text=lambda: columns(rows, ""))


@duties.command("set")
def duty_set(
    name: Name, at: At, who: As, zone: Zone = None, on: On = None, tenant: Tenant = None, as_json: AsJson = False
) -> None:
    """Let a duty be done at a local time. A local day has one run, also where the clocks change."""
    with opened(as_json=as_json) as app:
        actor, rule = actor_of(app, tenant, who), _rule(app, at, zone, on)
        due = app.act(actor, "duty set", lambda tx: set_duty_time(tx, actor, name, rule))
        said = f"{name} is done {say_rule(rule)}; next {_said(rule, due)}"
        say({"duty": name, **_of_rule(rule), "next": iso(due.at)}, as_json=as_json, text=said)


@duties.command("next")
def duty_next(
    name: Name, at: At, zone: Zone = None, on: On = None, tenant: Tenant = None, as_json: AsJson = False
) -> None:
    """Show the next seven times of a duty as it would be set; nothing is saved."""
    with opened(as_json=as_json) as app:
        rule, now = _rule(app, at, zone, on), app.now(tenant_of(app, tenant))
        dues = preview(rule, now)
        shaped = [{"day": one.day.isoformat(), "at": iso(one.at), "why": say_moved(rule, one)} for one in dues]
        say({"duty": check_duty(name), "next": shaped}, as_json=as_json,
            text="\n".join(_said(rule, one) for one in dues))  # fmt: skip


@duties.command("off")
def duty_off(name: Name, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Let a duty be done no more."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        was_on = app.act(actor, "duty off", lambda tx: switch_duty_off(tx, actor, name))
        say({"duty": name, "next": None, "was_on": was_on}, as_json=as_json, text=f"{name} is off.")


@duties.command("runs")
def duty_runs(name: Name, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List a duty's latest runs: for which day, how late, why its time moved, what it came to."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            tenant_id = tenant_of(app, tenant)
            runs, known = list_runs(conn, tenant_id, check_duty(name)), list_duties(conn, tenant_id)
        lines = [_line(known[name].rule, run) for run in runs] or [f"{name} has not run."]
        say({"duty": name, "runs": [_of_run(run) for run in runs]}, as_json=as_json, text="\n".join(lines))


def _rule(app: App, at: str, zone: str | None, on: str | None) -> Rule:
    return read_rule(at, zone or app.settings.timezone, on)


def _shaped(name: str, duty: Duty | None) -> dict[str, Json]:
    if duty is None or duty.next is None:
        return {"duty": name, "next": None}
    return {"duty": name, **_of_rule(duty.rule), "next": iso(duty.next.at)}


def _of_rule(rule: Rule) -> dict[str, Json]:
    return {"at": f"{rule.at:%H:%M}", "zone": rule.zone, "weekday": rule.weekday}


def _of_run(run: Run | None) -> dict[str, Json] | None:
    if run is None:
        return None
    return {
        "day": run.due.day.isoformat(),
        "due_at": iso(run.due.at),
        "started_at": iso(run.started_at),
        "ended_at": iso(run.ended_at),
        "late_seconds": int(run.late.total_seconds()),
        "missed": run.missed,
        "tries": run.tries,
        "failed": run.failed,
        "result": None if run.result is None else dict(run.result),
    }


def _said(rule: Rule, due: Due) -> str:
    local = due.at.astimezone(ZoneInfo(rule.zone))
    why = say_moved(rule, due)
    return f"{local:%a %d %b %Y %H:%M %Z}" + (f"  {why}" if why else "")


def _line(rule: Rule, run: Run) -> str:
    parts = [f"{run.due.day}", f"{say_span(run.late)} late" if run.late.total_seconds() >= 1 else "in time"]
    parts += [f"{run.missed} days before it were missed"] if run.missed else []
    parts += [f"failed: {run.failed}"] if run.failed else []
    parts += [f"{name}: {count}" for name, count in (run.result or {}).items()]
    parts += [f"not ended, try {run.tries}"] if run.ended_at is None else []
    return "; ".join(parts) + (f". {why}" if (why := say_moved(rule, run.due)) else ".")
