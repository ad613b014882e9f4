"""Commands with which a person decides and repairs."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from core.bootstrap import App
from core.cli.edge import actor_of, opened, say, tenant_of
from core.cli.options import As, AsJson, MaybeAs, Tenant
from core.cli.shapes import decided
from core.clock import iso
from core.db.store import Tx
from core.desk.decisions import (
    Answer,
    amend_person,
    decide_approval,
    read_points,
    release_decision,
    undo_decision,
)
from core.desk.desk import Actor
from core.desk.outside import Outside, receive_event, see_events, settle_unknown_effect
from core.desk.repairs import cancel_thread, park_thread, retry_thread
from core.errors import BadInput
from core.review.read import Approval
from core.steps import Json
from core.threads.rows import find_thread, get_thread
from core.views.sentence import say_time, sentence

ThreadId = Annotated[str, typer.Argument(metavar="THREAD")]
ApprovalId = Annotated[str, typer.Argument(metavar="APPROVAL")]


class VerdictWord(StrEnum):
    """The two verdicts."""

    APPROVE = "approve"
    REJECT = "reject"


def decide(
    approval: ApprovalId,
    verdict: VerdictWord,
    seen_version: Annotated[int, typer.Option(help="The version you saw; another one is refused.")],
    who: As,
    reason: Annotated[str | None, typer.Option(help="Why, in one line.")] = None,
    total: Annotated[int | None, typer.Option(help="Your own total, where the question has one.")] = None,
    points: Annotated[list[str] | None, typer.Option(help="Your own points, as 3=4, as often as needed.")] = None,
    answer: Annotated[str | None, typer.Option(help='What the approve must carry, as JSON: {"email": …}.')] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Decide a question. What it releases is held first, and can be undone until then."""
    with opened(as_json=as_json) as app:
        fields, own = read_object(answer, "--answer"), read_points(" ".join(points or []))
        given = Answer(verdict.value, seen_version, fields, reason, total, own)
        _decided(app, tenant, who, "decide", lambda tx, actor: decide_approval(tx, app.desk, actor, approval, given),
                 as_json=as_json)  # fmt: skip


def undo(approval: ApprovalId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Take a held decision back: nothing leaves, and the question stands again."""
    with opened(as_json=as_json) as app:
        _decided(app, tenant, who, "undo", lambda tx, actor: undo_decision(tx, app.desk, actor, approval),
                 as_json=as_json)  # fmt: skip


def release(approval: ApprovalId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """End a decision's hold now."""
    with opened(as_json=as_json) as app:
        _decided(app, tenant, who, "release", lambda tx, actor: release_decision(tx, app.desk, actor, approval),
                 as_json=as_json)  # fmt: skip


def _decided(
    app: App, tenant: str | None, who: str, act: str, command: Callable[[Tx, Actor], Approval], *, as_json: bool
) -> None:
    actor = actor_of(app, tenant, who)
    approval = app.act(actor, act, lambda tx: command(tx, actor))
    with app.read() as conn:
        is_parked = get_thread(conn, actor.tenant_id, approval.thread_id).status == "parked"
    shaped = {**decided(approval), "parked": is_parked}
    held = f", leaves {say_time(approval.release_at, app.zone)}" if approval.is_held else ""
    stays = f" {approval.thread_id} is parked; nothing of it goes on until it is retried." if is_parked else ""
    say(shaped, as_json=as_json, text=f"{approval.about} of {approval.thread_id}: {approval.status}{held}.{stays}")


def amend(
    thread: ThreadId,
    who: As,
    name: Annotated[str | None, typer.Option(help="The name as it should be.")] = None,
    email: Annotated[str | None, typer.Option(help="The address as it should be.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write a new version of a person's name or address; what rests on it is asked anew."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        version = app.act(actor, "amend", lambda tx: amend_person(tx, app.desk, actor, thread, name=name, email=email))
        say({"thread": thread, "version": version}, as_json=as_json, text=f"{thread}: version {version}.")


def event(
    thread: ThreadId,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    data: Annotated[str | None, typer.Option(help='The event\'s data, as JSON: {"slot": …}.')] = None,
    key: Annotated[str | None, typer.Option(help="Makes a repetition one event; default: a hash of the data.")] = None,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Tell a thread what happened outside, once per key. A late one is stored and shown too."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        told = Outside(name, read_object(data, "--data"), key)
        stored = app.act(actor, "event", lambda tx: receive_event(tx, app.desk, actor, thread, told))
        shaped = {
            "thread": thread,
            "event": name,
            "repeated": stored.repeated,
            "late": stored.late,
            "received_at": iso(stored.received_at),
        }
        word = "known already" if stored.repeated else "stored, late" if stored.late else "stored"
        say(shaped, as_json=as_json, text=f"{name} of {thread}: {word}.")


def seen(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Take the events of a thread that nothing followed from off the queue: a person has seen them."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        count = app.act(actor, "seen", lambda tx: see_events(tx, actor, thread))
        say({"thread": thread, "seen": count}, as_json=as_json, text=f"{thread}: {count} seen.")


def retry(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Make a parked thread due at once."""
    _repaired(thread, who, tenant, "retry", retry_thread, as_json=as_json)


def park(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Stop a thread where it stands, repairably."""
    _repaired(thread, who, tenant, "park", park_thread, as_json=as_json)


def cancel(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """End a thread: its questions are withdrawn, what it planned is void, nobody is mailed."""
    _repaired(thread, who, tenant, "cancel", cancel_thread, as_json=as_json)


def _repaired(
    thread_id: str, who: str, tenant: str | None, act: str, command: Callable[[Tx, Actor, str], None], *, as_json: bool
) -> None:
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        app.act(actor, act, lambda tx: command(tx, actor, thread_id))
        with app.read() as conn:
            thread = find_thread(conn, tenant_of(app, tenant), thread_id)
        assert thread is not None  # noqa: S101 - the command just changed it
        shaped = {"thread": thread_id, "status": thread.status, "outcome": thread.outcome}
        say(shaped, as_json=as_json, text=f"{thread_id}: {sentence(thread, app.zone)}")


def settle(
    key: Annotated[str, typer.Argument(metavar="KEY")],
    who: As,
    happened: Annotated[str | None, typer.Option(help="It happened; the outside's reference for it.")] = None,
    did_not_happen: Annotated[
        bool, typer.Option("--did-not-happen", help="It did not; it may be tried again.")
    ] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Say what you found out about an effect that nobody knew of."""
    with opened(as_json=as_json) as app:
        if (happened is None) != did_not_happen:
            raise BadInput("Say either --happened REF or --did-not-happen.")
        actor = actor_of(app, tenant, who)
        app.act(actor, "settle", lambda tx: settle_unknown_effect(tx, app.desk, actor, key, happened))
        status = "planned" if happened is None else "done"
        say({"key": key, "status": status}, as_json=as_json, text=f"{key}: {status}.")


def read_object(text: str | None, option: str) -> dict[str, Json]:
    """Read a JSON object from an option, or raise BadInput."""
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{option} is not JSON; write an object such as {{}}.") from error
    if not isinstance(value, dict):
        raise BadInput(f"{option} is not an object; write it like {{}}.")
    return value
