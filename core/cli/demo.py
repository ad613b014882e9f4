"""The demo: a role and 150 invented applicants with real files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from core.bootstrap import App
from core.catalog.role_text import read_role
from core.catalog.roles import add_role, find_role
from core.cli.edge import actor_of, opened, say
from core.cli.options import AsJson, MaybeAs, Tenant
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.intake import Incoming, accept
from core.desk.removal import Removed, remove_role
from core.effects.journal import REMOVED, Line
from core.errors import BadInput
from core.memory.memory import remember
from core.people.tenants import hold_for
from core.settings import MOST_HOLD_SECONDS
from core.steps import Record, Rule
from core.views.threads import Filters, count_threads


def demo(
    fresh: Annotated[bool, typer.Option("--fresh", help="Remove what a demo wrote, and write it anew.")] = False,
    atlas: Annotated[bool, typer.Option("--atlas", help="Only the Atlas job, in a tenant of its own.")] = False,
    migration: Annotated[bool, typer.Option("--migration", help="Only the migration of a shop's database.")] = False,
    scale: Annotated[int, typer.Option(min=1, max=100, help="Divide the migration's rows by this.")] = 1,
    hold_seconds: Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_HOLD_SECONDS, help="How long this tenant's decisions are held, where nothing says."
        ),
    ] = None,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write the demo: a role and 150 invented applicants with real files. Running it again changes nothing."""
    if atlas:
        _seed_atlas(fresh=fresh, as_json=as_json)
        return
    if migration:
        _seed_migration(who, tenant, scale, as_json=as_json)
        return
    # The demo writes PDF and Word files; no other command pays for loading what it needs.
    from core.demo import ROLE_FILE, write_applicants  # noqa: PLC0415

    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
        if hold_seconds is not None:
            app.act(actor, "demo", lambda tx: _hold(tx, actor, hold_seconds))
        if fresh:
            _remove(app, actor, draft.id)
        with app.read() as conn:
            known = find_role(conn, actor.tenant_id, draft.id)
        if known is None:
            contents = {**draft.contents, "role": {**draft.contents["role"], "demo": True}}
            app.act(actor, "demo", lambda tx: add_role(
                tx, actor.tenant_id, draft.id, contents, by=actor.member.id, now=actor.now))  # fmt: skip
            with tempfile.TemporaryDirectory() as folder:
                _apply_all(app, actor, draft.id, Path(folder), write_applicants(Path(folder)))
        with app.read() as conn:
            count = count_threads(conn, app.vault, actor.tenant_id, Filters(role_id=draft.id))
        shaped = {"role": draft.id, "applicants": count, "written": known is None}
        word = "written" if known is None else "there already"
        say(shaped, as_json=as_json, text=f"The demo is {word}: {draft.id} with {count} applicants.")


def _seed_atlas(*, fresh: bool, as_json: bool) -> None:
    # The demo's files are loaded by the demo alone, as above.
    from core.cli.demo_atlas import JOB, TENANT, seed_atlas  # noqa: PLC0415

    with opened(as_json=as_json) as app:
        written = seed_atlas(app, fresh=fresh)
        shaped = {"tenant": TENANT, "thread": JOB, "written": written}
        say(shaped, as_json=as_json, text=f"The Atlas job is {'written' if written else 'there already'}: {JOB}.")


def _seed_migration(who: str | None, tenant: str | None, scale: int, *, as_json: bool) -> None:
    from core.cli.demo_migration import THREAD, seed_migration  # noqa: PLC0415 - as above

    with opened(as_json=as_json) as app:
        target, written = seed_migration(app, actor_of(app, tenant, who), scale=scale)
        shaped = {"thread": THREAD, "target": str(target), "written": written}
        word = "written" if written else "there already"
        say(shaped, as_json=as_json, text=f"The migration is {word}: {THREAD}, into {target}.")


def _hold(tx: Tx, actor: Actor, seconds: int) -> None:
    if hold_for(tx, actor.tenant, seconds):
        actor.note(tx, "hold_set", None, seconds=seconds)


def _apply_all(app: App, actor: Actor, role_id: str, folder: Path, applicants: Sequence[object]) -> None:
    for one in applicants:
        incoming = Incoming(
            file=one.file,  # type: ignore[attr-defined]
            content=(folder / one.file).read_bytes(),  # type: ignore[attr-defined]
            name=one.name,  # type: ignore[attr-defined]
            email=one.email,  # type: ignore[attr-defined]
            cover=one.cover.encode() if one.cover else None,  # type: ignore[attr-defined]
            form=one.form,  # type: ignore[attr-defined]
        )
        then = replace(actor, now=actor.now - one.applied_before)  # type: ignore[attr-defined]
        outcome = accept(app.write, app.desk, then, role_id, [incoming])[0]
        if outcome.thread_id is None:
            raise BadInput(f"The demo's {outcome.file} was refused: {outcome.reason}")
        if one.earlier is not None:  # type: ignore[attr-defined]
            _remember_earlier(app, then, outcome.thread_id, one)


def _remember_earlier(app: App, actor: Actor, thread_id: str, one: object) -> None:
    keys = app.vault.keys(actor.tenant_id, thread_id)
    text = one.earlier.text(actor.now)  # type: ignore[attr-defined]
    record = Record("application", one.email, text, 1.0, Rule.CLOSE_6_MONTHS)  # type: ignore[attr-defined]

    def write(tx: Tx) -> None:
        remember(tx, app.vault, keys, record, source_ref="an earlier role", now=actor.now)

    app.act(actor, "demo", write)


def _remove(app: App, actor: Actor, role_id: str) -> None:
    removed = app.act(actor, "demo --fresh", lambda tx: remove_role(tx, actor, role_id))
    remove_rest(app, actor.tenant_id, removed)


def remove_rest(app: App, tenant_id: str, removed: Removed) -> None:
    """Remove what a removed demo had outside the database."""
    app.vault.destroy(tenant_id, removed.threads)
    for blob_id in removed.blobs:
        app.parts.blobs.delete(blob_id)
    for key in removed.effects:
        app.outbox.remove(tenant_id, key)
    gone = [Line(tenant_id, key, "", 0, REMOVED) for key in removed.effects]
    app.parts.journal.append(gone, flush=True)  # or what the new demo lets out would be taken for done
