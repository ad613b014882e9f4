"""Commands that bring work in and carry it on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from core.catalog.role_text import read_role
from core.catalog.roles import list_roles
from core.cli.edge import REFUSED, actor_of, columns, only_tenant, opened, say, tenant_of
from core.cli.options import AsJson, Batch, Cover, MaybeAs, OneFile, OnlyTenant, RoleFile, Tenant
from core.clock import iso
from core.desk.intake import Incoming, accept
from core.desk.roles import open_role
from core.errors import BadInput
from core.files import MEGABYTE, label_of, read_file
from core.intake_files import Application, list_applications, read_one

roles = typer.Typer(help="Roles that people apply to.", no_args_is_help=True)


@roles.command("add")
def role_add(
    file: RoleFile,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Add a role from a file: description, rules, rubric and bands as it states them."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        draft = read_role(read_text(file), label_of(file.name))
        app.act(actor, "role add", lambda tx: open_role(tx, actor, draft))
        rubric = draft.contents["rubric"]
        shaped = {
            "role": draft.id,
            "title": draft.title,
            "criteria": len(rubric["criteria"]),
            "rules": len(draft.contents["rules"]["rules"]),
            "noticed": list(draft.noticed),
        }
        text = f"Added {draft.id}: {draft.title} ({shaped['criteria']} criteria, {shaped['rules']} rules)."
        say(shaped, as_json=as_json, text="\n".join([text, *draft.noticed]))


def read_text(file: Path) -> str:
    """Read a text file that a command names, or raise BadInput."""
    try:
        return read_file(file, MEGABYTE).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{label_of(str(file))} cannot be read as UTF-8 text.") from error


@roles.command("list")
def role_list(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List roles."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            found = list_roles(conn, tenant_of(app, tenant))
        shaped = [
            {
                "id": r.id,
                "title": r.title,
                "status": r.status,
                "applications": r.applications,
                "created_at": iso(r.created_at),
            }
            for r in found
        ]
        rows = [(r.id, r.status, r.applications, r.title) for r in found]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "No roles yet; add one with `role add FILE`."))


def apply(
    role: Annotated[str, typer.Argument(metavar="ROLE")],
    cv: OneFile = None,
    batch: Batch = None,
    name: Annotated[str | None, typer.Option(help="The name as they wrote it.")] = None,
    email: Annotated[str | None, typer.Option(help="The address as they wrote it.")] = None,
    cover: Cover = None,
    form: Annotated[list[str] | None, typer.Option(help="KEY=VALUE, as often as needed.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Accept a person who applied for this role already.")] = False,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Take one application or many. A file that cannot be read is one refused sentence; the rest goes through."""
    with opened(as_json=as_json) as app:
        if (cv is None) == (batch is None):
            raise BadInput("Give either --cv FILE or --batch FOLDER-OR-LIST.")
        if cv is not None:
            incoming: Iterable[Incoming] = [_one(cv, name, email, cover, form or [])]
        else:
            incoming = (_incoming(one) for one in list_applications(batch or Path()))
        outcomes = accept(app.write, app.desk, actor_of(app, tenant, who), role, incoming, again=again)
        shaped = {
            "accepted": [{"file": one.file, "thread": one.thread_id} for one in outcomes if one.thread_id],
            "refused": [{"file": one.file, "reason": one.reason} for one in outcomes if not one.thread_id],
        }
        lines = [f"{one.file}: {one.thread_id or one.reason}" for one in outcomes]
        say(shaped, as_json=as_json, text="\n".join(lines) or "There was nothing to take.")
        if not shaped["accepted"]:
            raise typer.Exit(REFUSED)


def _one(cv: Path, name: str | None, email: str | None, cover: Path | None, form: list[str]) -> Incoming:
    return Incoming(
        file=label_of(cv.name),
        content=read_one(cv),
        name=name,
        email=email,
        cover=None if cover is None else read_one(cover),
        form=dict(_pair(text) for text in form),
    )


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise BadInput(f"--form {text!r} is not KEY=VALUE.")
    return key.strip(), value.strip()


def _incoming(one: Application) -> Incoming:
    return Incoming(one.file, one.content, one.name, one.email, one.cover, one.form, one.problem)


def worker(
    until_idle: Annotated[bool, typer.Option("--until-idle", help="Return when nothing more is due now.")] = False,
    tenant: OnlyTenant = None,
    as_json: AsJson = False,
) -> None:
    """Carry on what is due. Any number of workers may run at once."""
    with opened(as_json=as_json) as app:
        engine = app.engine("command line", tenant_id=only_tenant(app, tenant))
        try:
            if until_idle:
                claimed = engine.run_until_idle()
                say({"claimed": claimed}, as_json=as_json, text=f"{claimed} claims; nothing more is due now.")
            else:
                _serve(engine)
        finally:
            engine.stop()


def _serve(engine) -> None:  # type: ignore[no-untyped-def]
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    engine.start()
    typer.echo(f"Worker {engine.worker_id} runs; stop it with Ctrl-C.", err=True)
    stopped.wait()
