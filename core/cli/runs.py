"""Commands about one run: fork it, tell what happens next, compare two, ask again, move a deadline, send once more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from core.bootstrap import App
from core.cli.deciding import ThreadId
from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.clock import iso, read_instant
from core.desk.asking import ask_thread, move_deadline
from core.desk.decisions import ask_again as ask_anew
from core.desk.desk import Doors
from core.desk.forking import fork_thread, preview_fork
from core.desk.rehearsal import Coming, rehearse
from core.steps import Json
from core.threads.rows import get_thread
from core.views.after import After
from core.views.compare import compare_runs
from core.views.differences import ABSENT, Difference
from core.views.fixture import read_fixture
from core.views.sentence import say_time

MARKS = {"reuse": "reuse its receipt", "again": "would send again under a new key", "settle": "unknown: settle first",
         "nothing": "never left"}  # fmt: skip


def fork(
    thread: ThreadId,
    at: Annotated[int, typer.Option(help="The checkpoint whose state it begins with.")],
    who: As,
    sandbox: Annotated[
        bool, typer.Option("--sandbox/--live", help="A sandbox sends nothing; a live one only what is approved anew.")
    ] = True,
    dry: Annotated[bool, typer.Option("--dry", help="Only list what comes after the point; open nothing.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Open another run from a checkpoint of this one; answers after the point count for nothing there."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        if dry:
            after = app.look(actor, "fork", lambda conn: preview_fork(conn, app.desk, actor.tenant_id, thread, at))
            shaped = {"thread": None, "sandbox": sandbox, **_after(after)}
        else:
            doors = Doors(app.read, app.write)
            made = app.attempt(actor, "fork", lambda: fork_thread(doors, app.desk, actor, thread, at, sandbox=sandbox))
            after = made.after
            shaped = {"thread": made.thread_id, "sandbox": sandbox, **_after(after)}
        rows = [(one["key"], one["status"], MARKS[one["mark"]]) for one in shaped["effects"]]
        head = f"{shaped['thread'] or 'A fork'} begins at checkpoint {after.begins_at}, step {after.step}."
        said = columns(rows, "Nothing had left after that point.")
        say(shaped, as_json=as_json, text=f"{head}\n{said}")


def _after(after: After) -> dict[str, Json]:
    return {
        "at": after.asked_for,
        "begins_at": after.begins_at,
        "step": after.step,
        "effects": [
            {"key": one.entry.key, "kind": one.entry.kind, "status": one.entry.status, "mark": one.mark}
            for one in after.effects
        ],
        "void": [{"approval": one.id, "about": one.about, "status": one.status} for one in after.void],
    }


def coming(thread: ThreadId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Tell what happens next, as a dry run: each coming step is passed over, pure, held back or will act."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, None)
        with app.read() as conn:
            found = rehearse(conn, app.desk, actor, thread)
        shaped = [_coming(one) for one in found]
        rows = [(one.mark, say_time(one.at, app.zone), one.title, one.says) for one in found]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing more happens in this run."))


def _coming(one: Coming) -> dict[str, Json]:
    return {
        "step": one.step,
        "title": one.title,
        "mark": one.mark,
        "at": iso(one.at),
        "until": iso(one.until),
        "says": one.says,
        "keys": list(one.keys),
        "if": one.if_ or None,
    }


def compare(
    left: ThreadId,
    right: Annotated[str, typer.Argument(metavar="THREAD")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Hold one run against another of its workflow, field by field."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            found = compare_runs(conn, app.vault, tenant_of(app, tenant), left, right)
        shaped = {
            "left": left,
            "right": right,
            "rows": [_difference(one) for one in found.of_rows],
            "state": [_difference(one) for one in found.of_state],
        }
        rows = [
            (".".join(one.path), _short(one.before), _short(one.after)) for one in (*found.of_rows, *found.of_state)
        ]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing differs."))


def _difference(one: Difference) -> dict[str, Json]:
    before, after = (None if value is ABSENT else value for value in (one.before, one.after))
    return {"path": list(one.path), "left": before, "right": after}


def _short(value: Json) -> str:
    return "–" if value is ABSENT else json.dumps(value, ensure_ascii=False)[:60]


def ask_again(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Ask what stands in a run anew; an answer that is held is a draft then."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        asked = app.act(actor, "ask again", lambda tx: ask_anew(tx, app.desk, actor, thread))
        say({"thread": thread, "approvals": asked}, as_json=as_json, text=f"{thread}: {len(asked)} asked again.")


def deadline(
    thread: ThreadId,
    to: Annotated[str, typer.Option(help="The new deadline, such as 2026-08-25T10:00:00Z.")],
    who: As,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Move the deadline that a run waits until; its reminder follows."""
    with opened(as_json=as_json) as app:
        actor, until = actor_of(app, tenant, who), read_instant(to)
        app.act(actor, "deadline", lambda tx: move_deadline(tx, app.desk, actor, thread, until))
        said = f"{thread}: waits until {say_time(until, app.zone)} once a worker has taken it up."
        say({"thread": thread, "until": iso(until)}, as_json=as_json, text=said)


def resend(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Ask whether an invite that left is sent once more, under a key of its own. Nothing leaves before an answer."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        app.act(actor, "resend", lambda tx: ask_thread(tx, app.desk, actor, thread, "resend"))
        said = f"{thread}: the question whether to send the invite once more is asked; answer it with `decide`."
        say({"thread": thread, "asked": "resend"}, as_json=as_json, text=said)


def fixture(
    thread: ThreadId,
    file: Annotated[Path | None, typer.Option(help="Write it there.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write a run as a fixture for a test: its shape, without anything that says whose it is."""
    with opened(as_json=as_json) as app:
        text = fixture_text(app, tenant_of(app, tenant), thread)
        if file is None:
            shape = json.loads(text)
            said = f"{thread}: {len(shape['checkpoints'])} checkpoints, {len(shape['effects'])} effects."
            say(shape, as_json=as_json, text=f"{said} --json prints the fixture, --file FILE writes it.")
        else:
            file.write_text(text + "\n")
            say({"file": str(file)}, as_json=as_json, text=f"{thread} is written to {file}.")


def fixture_text(app: App, tenant_id: str, thread_id: str) -> str:
    """Answer a run's fixture as text."""
    with app.read() as conn:
        found = get_thread(conn, tenant_id, thread_id)
        return json.dumps(read_fixture(conn, app.vault, found, app.desk.workflows.get(found.workflow)), indent=1)
