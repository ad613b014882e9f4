"""Commands that look and change nothing."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from core.cli.edge import columns, opened, say, tenant_of
from core.cli.log import MARKS, tell_run
from core.cli.options import AsJson, Tenant
from core.cli.shapes import effect, left_over, queued, thread_line, whole_thread
from core.cli.told import plain, tell_left_over, tell_question
from core.effects.plan import list_entries
from core.errors import NotFound, meant
from core.people.people import names_of
from core.threads.rows import get_thread
from core.threads.tables import STATUSES
from core.views.ask import Answer
from core.views.ask import ask as ask_record
from core.views.queue import list_closing, list_left_over, list_queue
from core.views.sentence import say_time
from core.views.threads import Filters, Whole, get_whole, list_threads, list_workflows, read_people_of

StatusWord = StrEnum("StatusWord", {word.upper(): word for word in STATUSES})  # type: ignore[misc]


def threads(
    status: Annotated[StatusWord | None, typer.Option(help="Only threads of this status.")] = None,
    workflow: Annotated[str | None, typer.Option(help="Only threads of this workflow.")] = None,
    find: Annotated[str | None, typer.Option(help="A thread's id, the start of one, or a person's name.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List threads, those that waited longest first."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            _check_workflow(workflow, {*app.desk.workflows, *list_workflows(conn, tenant_id)})
            filters = Filters(status=status and status.value, workflow=workflow, find=find)
            lines = list_threads(conn, app.vault, tenant_id, filters)
        shaped = [thread_line(line, app.zone) for line in lines]
        rows = [(one["id"], one["status"], one["name"] or "", one["sentence"]) for one in shaped]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "No thread matches."))


def _check_workflow(workflow: str | None, known: Collection[str]) -> None:
    if workflow is not None and workflow not in known:
        raise NotFound(f"There is no workflow {workflow[:80]!r}. {meant(workflow, known)}")


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
        say(shaped, as_json=as_json, text=lambda: _read_out(whole, str(shaped["sentence"]), app.zone))


def _read_out(whole: Whole, said: str, zone: ZoneInfo) -> str:
    head = f"{whole.thread.id}  {plain(whole.name or '')}\n{whole.thread.goal}\n{said}"
    if whole.revisions:
        return "\n\n".join([head, *tell_run(whole, zone)])
    steps = [(MARKS[one.status], one.title, one.status, plain(one.summary)) for one in whole.plan]
    ledger = [
        (one.key, one.status, say_time(one.done_at, zone) if one.done_at else one.why or "") for one in whole.effects
    ]
    asked = [tell_question(one, whole.name, zone) for one in whole.approvals]
    return "\n\n".join([head, columns(steps, "No plan yet."), columns(ledger, "No effects yet."), *asked])


def queue(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List what waits for a person: undecided questions, due first; then events that nothing followed from."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            asked, unused = list_queue(conn, app.vault, tenant_id), list_left_over(conn, tenant_id)
            closing = list_closing(conn, tenant_id)
            names = read_people_of(conn, app.vault, tenant_id, [one.thread_id for one in asked])
        lanes = {one.id: "role closing" for one in asked if one.id in closing}
        shaped = [{**queued(one), "lane": lanes.get(one.id)} for one in asked]
        shaped += [{**left_over(one), "lane": None} for one in unused]
        told = [tell_question(one, names.get(one.thread_id), app.zone, lane=lanes.get(one.id)) for one in asked]
        told += [tell_left_over(one, app.zone) for one in unused]
        say(shaped, as_json=as_json, text="\n\n".join(told) or "Nothing waits for you.")


def ask(question: str, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Ask the record: an exact answer from rows, or "No row says so". No model is involved."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        now = app.now(tenant_id)
        with app.read() as conn:
            answer = ask_record(conn, app.vault, tenant_id, question, app.zone, now)
        names = list(answer.near.names) if answer.near else []
        shaped = {"answer": answer.answer, "text": answer.text, "rows": list(answer.rows), "offers": names}
        say(shaped, as_json=as_json, text=lambda: _with_offers(answer))


def _with_offers(answer: Answer) -> str:
    """Say the answer, and which names are near where nobody has this one."""
    if answer.near is None or not answer.near.names:
        return answer.text
    lines = [f"  ask {shlex.quote(plain(answer.again(name)) or name)}" for name in answer.near.names]
    return "\n".join([answer.text, f"Spelt nearly so, of {answer.near.looked}; ask with the name as it is:", *lines])


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
