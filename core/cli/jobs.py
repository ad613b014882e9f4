"""Reconciliations, and resume tokens."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.edge import actor_of, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.clock import iso
from core.desk.jobs import NewJob, open_job
from core.desk.tokens import make_token, resume_thread
from core.errors import BadInput
from core.steps import Json
from core.threads.rows import Thread


class DecimalMark(StrEnum):
    """Which mark stands before the decimals."""

    FIND = ""
    POINT = "point"
    COMMA = "comma"


def reconcile(
    job: Annotated[str, typer.Argument(metavar="JOB", help="The job's id, such as job_atlas_17.")],
    approved: Annotated[Path, typer.Option(help="What was approved, as CSV.")],
    export: Annotated[Path, typer.Option(help="The analytics export, as CSV in any encoding.")],
    who: As,
    account: Annotated[str, typer.Option(help="Whose campaigns these are.")] = "campaigns",
    export_version: Annotated[int, typer.Option(help="The export's version; each is read once.")] = 1,
    decimal: Annotated[DecimalMark, typer.Option(help="The decimal mark; left out, it is found.")] = DecimalMark.FIND,
    check: Annotated[
        bool, typer.Option("--check", help="Only say how the files would be read; store nothing.")
    ] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Begin to compare what was approved with an export; each discrepancy becomes a question."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        new = NewJob(job, account, _read(approved), _read(export), export_version, decimal.value)
        if check:
            mark = {"point": ".", "comma": ","}.get(decimal.value, "")
            read_as = app.attempt(actor, "reconcile", lambda: app.desk.jobs.check(new.approved, new.export, mark))
        else:
            read_as = app.attempt(actor, "reconcile", lambda: open_job(app.write, app.desk, actor, new))
        shaped = {"thread": None if check else job, "read_as": read_as}
        say(shaped, as_json=as_json, text=f"{'Not begun' if check else job}. {read_as}.")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadInput(f"There is no readable file at {file}.") from error


def token(
    thread_id: Annotated[str, typer.Argument(metavar="ID")], tenant: Tenant = None, as_json: AsJson = False
) -> None:
    """Print a resume token: it names a thread where it stands, and grants nothing."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            made, thread = make_token(conn, app.vault, tenant_id, thread_id)
        shaped = {"thread": thread.id, "checkpoint": thread.checkpoint, "token": made}
        say(shaped, as_json=as_json, text=made)


def resume(
    token: Annotated[str, typer.Argument(metavar="TOKEN")], who: As, tenant: Tenant = None, as_json: AsJson = False
) -> None:
    """Present a resume token: you are authorised again, and the thread's present row decides."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        thread = app.act(actor, "resume", lambda tx: resume_thread(tx, app.desk, actor, token))
        say(_shape(thread), as_json=as_json, text=f"{thread.id} is due now, from checkpoint {thread.checkpoint}.")


def _shape(thread: Thread) -> dict[str, Json]:
    return {
        "thread": thread.id,
        "status": thread.status,
        "step": thread.step,
        "checkpoint": thread.checkpoint,
        "version": thread.version,
        "wake_at": iso(thread.wake_at),
    }
