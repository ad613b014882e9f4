"""A thread's note: a person writes it, a person approves it."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.clock import iso
from core.desk.notes import approve_written_note, write_note
from core.people.people import list_people
from core.threads.notes import list_notes
from core.threads.rows import get_thread

notes = typer.Typer(help="A person's line in a thread; only the latest approved one is used.", no_args_is_help=True)
ThreadId = Annotated[str, typer.Argument(metavar="THREAD")]


@notes.command("add")
def note_add(
    thread: ThreadId,
    text: Annotated[str, typer.Argument(metavar="TEXT")],
    who: As,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write the next version of a thread's note; it counts once it is approved."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        version = app.act(actor, "note add", lambda tx: write_note(tx, app.desk, actor, thread, text))
        shaped = {"thread": thread, "version": version, "approved": False}
        say(shaped, as_json=as_json, text=f"Note {version} of {thread}; it waits for approval.")


@notes.command("approve")
def note_approve(
    thread: ThreadId,
    who: As,
    version: Annotated[int | None, typer.Option(help="Which version; left out, the newest.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Approve a version of a thread's note."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        approved = app.act(actor, "note approve", lambda tx: approve_written_note(tx, app.desk, actor, thread, version))
        shaped = {"thread": thread, "version": approved, "approved": True}
        say(shaped, as_json=as_json, text=f"Note {approved} of {thread} is approved.")


@notes.command("list")
def note_list(thread: ThreadId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List the versions of a thread's note, oldest first."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            get_thread(conn, tenant_id, thread)
            lines = list_notes(conn, app.vault.keys(tenant_id, thread))
            people = {one.id: one.email for one in list_people(conn, tenant_id)}
        shaped = [
            {
                "version": one.version,
                "author": people.get(one.author_id, one.author_id),
                "text": one.text,
                "written_at": iso(one.written_at),
                "approved_by": people.get(one.approved_by or "", one.approved_by),
                "approved_at": iso(one.approved_at),
            }
            for one in lines
        ]
        rows = [
            (f"v{one['version']}", one["author"], one["approved_by"] or "not approved", one["text"]) for one in shaped
        ]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "No note yet."))
