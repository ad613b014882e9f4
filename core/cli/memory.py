"""The memory browser's verbs."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from core.bootstrap import App
from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.memory_leaving import say_leaving
from core.cli.options import As, AsJson, MaybeAs, Tenant
from core.clock import iso, read_instant
from core.desk.memory import (
    Draft,
    change_memory,
    look_at,
    purge_memory,
    remember_by_hand,
    supersede_by_hand,
    sweep_expired,
)
from core.errors import BadInput
from core.memory.alarms import find_alarms
from core.memory.reading import MemoryLine, list_memories
from core.people.people import list_people
from core.steps import Json

memories = typer.Typer(help="Records kept for later threads.", no_args_is_help=True)
MemoryId = Annotated[str, typer.Argument(metavar="ID")]
Confidence = Annotated[float | None, typer.Option(help="How sure the source is, 0 to 1.")]
Source = Annotated[str | None, typer.Option(help="Where it was learnt; left out, the person who says it.")]
Expires = Annotated[str | None, typer.Option(help="When it expires; left out, after the kind's longest life.")]


class OriginWord(StrEnum):
    """Who states it."""

    PERSON = "person"
    DOCUMENT = "document"
    TOOL = "tool"
    MODEL = "model"


OriginOption = Annotated[
    OriginWord, typer.Option(help="Who states it; what a document, a tool or a model says is quarantined.")
]


@memories.command("list")
def memory_list(
    state: Annotated[str | None, typer.Option(help="Only records in this state.")] = None,
    deleted: Annotated[bool, typer.Option("--deleted", help="Those that were forgotten or refused.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List records without their text; two live ones under one key are contested and wait for a person."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        now = app.now(tenant_id)
        with app.read() as conn:
            lines = list_memories(conn, tenant_id, now, deleted=deleted)
        owners = _owners(app, tenant_id)
        shaped = [_shape(line, owners) for line in lines if state in (None, line.state)]
        rows = [(one["id"], one["state"], one["kind"], one["owner"], one["expires_at"]) for one in shaped]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing found."))


@memories.command("show")
def memory_show(memory: MemoryId, who: MaybeAs = None, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show one record with its text; a forgotten one is not there."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        line, text = app.act(actor, "memory show", lambda tx: look_at(tx, app.desk, actor, memory))
        shaped = {**_shape(line, _owners(app, actor.tenant_id)), "text": text}
        say(shaped, as_json=as_json, text=f"{line.id} ({line.state}, {line.kind}, from {line.source}): {text}")


@memories.command("remember")
def memory_remember(
    kind: Annotated[str, typer.Argument(metavar="KIND")],
    key: Annotated[str, typer.Argument(metavar="KEY", help="Exact; reads find it by this and nothing else.")],
    text: Annotated[str, typer.Argument(metavar="TEXT")],
    who: As,
    confidence: Confidence = None,
    source: Source = None,
    origin: OriginOption = OriginWord.PERSON,
    drawn_from: Annotated[list[str] | None, typer.Option("--from", help="A memory that it rests on.")] = None,
    expires: Expires = None,
    about: Annotated[str | None, typer.Option("--thread", help="The thread that it is about.")] = None,
    own: Annotated[bool, typer.Option("--own", help="For this person's own work, not for the whole tenant.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Keep a record. Secrets, raw reasoning and how to score are refused."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        draft = Draft(
            kind, key, text, confidence, origin.value, source, tuple(drawn_from or ()), _instant(expires), about, own
        )
        line = app.attempt(actor, "memory remember", lambda: remember_by_hand(app.write, app.desk, actor, draft))
        _say_line(app, actor.tenant_id, line, as_json=as_json)


@memories.command("supersede")
def memory_supersede(
    memory: MemoryId,
    who: As,
    text: Annotated[str | None, typer.Option(help="What stands in its place.")] = None,
    by: Annotated[str | None, typer.Option("--by", help="The record that stands in its place.")] = None,
    confidence: Confidence = None,
    source: Source = None,
    expires: Expires = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Put a new text, or another record under the same key, in a record's place."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        if (text is None) == (by is None):
            raise BadInput("Give either --text, what stands in its place, or --by, the record that does.")
        if text is None:
            line = app.act(
                actor, "memory supersede", lambda tx: change_memory(tx, actor, "supersede", memory, new_id=by)
            )
        else:
            draft = Draft("", "", text, confidence, source=source, expires_at=_instant(expires))
            line = app.attempt(
                actor, "memory supersede", lambda: supersede_by_hand(app.write, app.desk, actor, memory, draft)
            )
        _say_line(app, actor.tenant_id, line, as_json=as_json)


@memories.command("allow")
def memory_allow(memory: MemoryId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Let a quarantined record be read."""
    _changed(memory, who, tenant, "allow", as_json=as_json)


@memories.command("refuse")
def memory_refuse(memory: MemoryId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Say no to a quarantined record; it is forgotten."""
    _changed(memory, who, tenant, "refuse", as_json=as_json)


@memories.command("forget")
def memory_forget(memory: MemoryId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Take a record out of every read and list at once; it can be restored."""
    _changed(memory, who, tenant, "forget", as_json=as_json)


@memories.command("restore")
def memory_restore(memory: MemoryId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Bring a forgotten record back as it stood."""
    _changed(memory, who, tenant, "restore", as_json=as_json)


@memories.command("expire")
def memory_expire(
    who: As,
    memory: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Left out: delete all that has expired.")
    ] = None,
    at: Annotated[str | None, typer.Option("--at", help="When instead; never later than its policy lets it.")] = None,
    preview: Annotated[bool, typer.Option("--preview", help="With --at: show who would leave when, and stop.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """End records' lives now, or at another time; without an ID, delete what has expired."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        if at is not None:
            say_leaving(app, actor, memory or [], read_instant(at), preview=preview, as_json=as_json)
            return
        if preview:
            raise BadInput("--preview shows what --at would do; say when with --at.")
        if memory:
            lines = app.act(
                actor, "memory expire", lambda tx: [change_memory(tx, actor, "expire", one) for one in memory]
            )
            shaped = [_shape(line, _owners(app, actor.tenant_id)) for line in lines]
            text = " ".join(f"{line.id}: {line.state}, expires {iso(line.expires_at)}." for line in lines)
            say(shaped[0] if len(shaped) == 1 else shaped, as_json=as_json, text=text)
            return
        swept = app.attempt(actor, "memory expire", lambda: sweep_expired(app.write, app.desk, actor))
        say({"purged": swept}, as_json=as_json, text=f"{len(swept)} expired records deleted.")


@memories.command("alarms")
def memory_alarms(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List which source wrote too much within an hour, and which record reached too many people; of seven days."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            found = find_alarms(conn, tenant_id, app.now(tenant_id), app.bounds)
        shaped = [
            {"kind": one.kind, "name": one.name, "count": one.count, "bound": one.bound, "at": iso(one.at)}
            for one in found
        ]
        rows = [(one["kind"], one["name"], f"{one['count']} of {one['bound']}", one["at"]) for one in shaped]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "No bound was passed."))


@memories.command("purge")
def memory_purge(memory: MemoryId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Delete a record for good; nobody can restore it."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        app.attempt(actor, "memory purge", lambda: purge_memory(app.write, app.desk, actor, memory))
        say({"id": memory, "state": "purged"}, as_json=as_json, text=f"{memory}: purged.")


def _changed(memory: str, who: str, tenant: str | None, act: str, *, as_json: bool) -> None:
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        line = app.act(actor, f"memory {act}", lambda tx: change_memory(tx, actor, act, memory))
        _say_line(app, actor.tenant_id, line, as_json=as_json)


def _say_line(app: App, tenant_id: str, line: MemoryLine, *, as_json: bool) -> None:
    text = f"{line.id}: {line.state}, expires {iso(line.expires_at)}."
    say(_shape(line, _owners(app, tenant_id)), as_json=as_json, text=text)


def _owners(app: App, tenant_id: str) -> dict[str, str]:
    with app.read() as conn:
        return {one.id: one.email for one in list_people(conn, tenant_id)}


def _shape(line: MemoryLine, owners: dict[str, str]) -> dict[str, Json]:
    return {
        "id": line.id,
        "kind": line.kind,
        "owner": owners.get(line.owner_id, line.owner_id),
        "source": line.source,
        "origin": line.origin,
        "confidence": line.confidence,
        "state": line.state,
        "version": line.version,
        "created_at": iso(line.created_at),
        "expires_at": iso(line.expires_at),
        "drawn_from": list(line.drawn_from),
        "superseded_by": line.superseded_by,
    }


def _instant(text: str | None) -> datetime | None:
    return None if text is None else read_instant(text)
