"""Commands that look and change nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.edge import columns, opened, say, tenant_of
from core.cli.options import AsJson, Tenant
from core.cli.shapes import effect, late_event, queued, thread_line, whole_thread
from core.effects.plan import list_entries
from core.errors import BadInput
from core.people.people import names_of
from core.threads.rows import get_thread
from core.threads.tables import STATUSES
from core.views.ask import ask as ask_record
from core.views.queue import list_late_events, list_queue
from core.views.threads import Filters, get_whole, list_threads

MARKS = {
    "done": "✓",
    "now": "▶",
    "waiting_person": "✋",
    "waiting_event": "⏳",
    "later": "·",
    "skipped": "–",
    "stopped": "✗",
}


def threads(
    status: Annotated[str | None, typer.Option(help="Only threads of this status.")] = None,
    workflow: Annotated[str | None, typer.Option(help="Only threads of this workflow.")] = None,
    find: Annotated[str | None, typer.Option(help="A thread's id, the start of one, or a person's name.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List threads, those that waited longest first."""
    with opened(as_json=as_json) as app:
        if status is not None and status not in STATUSES:
            raise BadInput(f"No thread has the status {status!r}; there are {', '.join(STATUSES)}.")
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            filters = Filters(status=status, workflow=workflow, find=find)
            lines = list_threads(conn, app.vault, tenant_id, filters)
        shaped = [thread_line(line, app.zone) for line in lines]
        rows = [(one["id"], one["status"], one["name"] or "", one["sentence"]) for one in shaped]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "No thread matches."))


def thread(
    thread_id: Annotated[str, typer.Argument(metavar="ID")], tenant: Tenant = None, as_json: AsJson = False
) -> None:
    """Show one thread: plan, summaries, attempts, effects, approvals, the sentence."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            whole = get_whole(conn, app.vault, tenant_id, thread_id)
            people = names_of(conn, tenant_id)
        shaped = whole_thread(whole, people, app.zone)
        say(shaped, as_json=as_json, text=lambda: _read_out(shaped))


def _read_out(shaped: dict[str, object]) -> str:
    plan: list[dict[str, object]] = shaped["plan"]  # type: ignore[assignment]
    effects: list[dict[str, object]] = shaped["effects"]  # type: ignore[assignment]
    steps = [(MARKS[str(one["status"])], one["title"], one["status"], one["summary"]) for one in plan]
    ledger = [(one["key"], one["status"], one["done_at"] or one["why"]) for one in effects]
    head = f"{shaped['id']}  {shaped['name'] or ''}\n{shaped['goal']}\n{shaped['sentence']}\n"
    return f"{head}\n{columns(steps, 'No plan yet.')}\n\n{columns(ledger, 'No effects yet.')}"


def queue(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List what waits for a person: undecided questions, due first; then events that came too late."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            shaped = [queued(one) for one in list_queue(conn, app.vault, tenant_id)]
            shaped += [late_event(one) for one in list_late_events(conn, tenant_id)]
        rows = [(one["approval"], f"v{one['version']}", one["thread"], one["kind"], one["total"]) for one in shaped]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing waits for you."))


def ask(question: str, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Ask the record: an exact answer from rows, or "No row says so". No model is involved."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        now = app.now(tenant_id)
        with app.read() as conn:
            answer = ask_record(conn, app.vault, tenant_id, question, app.zone, now)
        shaped = {"answer": answer.answer, "text": answer.text, "rows": list(answer.rows)}
        say(shaped, as_json=as_json, text=answer.text)


def effects(
    context: typer.Context,
    of: Annotated[str | None, typer.Option("--thread", help="Only this thread's.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """The ledger; `effects settle` is the unknown desk."""
    if context.invoked_subcommand is not None:
        return
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            if of is not None:
                get_thread(conn, tenant_id, of)
            shaped = [effect(one) for one in list_entries(conn, tenant_id, of)]
        rows = [(one["key"], one["kind"], one["status"], one["done_at"], one["why"]) for one in shaped]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "The ledger is empty."))
