"""The demo's Atlas job: paused at review, its export read, memory that it may and may not see."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.bootstrap import App, open_tenant
from core.cli.demo import remove_rest
from core.clock import FIXTURE_START
from core.db.store import Tx
from core.demo import ATLAS_FILES
from core.desk.desk import Actor
from core.desk.jobs import NewJob, open_job
from core.desk.memory import Draft, remember_by_hand
from core.desk.notes import approve_written_note, write_note
from core.desk.removal import Removed, remove_job
from core.memory.reading import list_memories
from core.people.tenants import list_tenants, restart_clock
from core.threads.rows import find_thread
from core.threads.save import write_summary

TENANT, OTHER, JOB = "atlas", "borealis", "job_atlas_17"
_KEY = "campaign/C-208"
_VALID = "The client extended Winter Garden by one week in June and expected to spend a little more."
_EXPIRED = "Winter Garden is billed together with Old Mill until the end of June."
_FOREIGN = "Winter Garden belongs to Borealis Media and is not to be shown to anyone else."
_NOTE = "The agency was asked about Winter Garden; its invoice shows the same amount as the export."
# What an earlier run said of it and no row says any more: it stays in the plan, and out of every packet.
_STALE = "d_08 was found; approval pending."


def seed_atlas(app: App, *, fresh: bool) -> bool:
    """Write the lab's fixture where it is not there yet, and say whether it was written."""
    actor = _tenant(app, TENANT, "Atlas Media")
    if fresh:
        _remove(app, actor)
        actor = app.actor(TENANT, None, "command line")  # at the clock's start again
    with app.read() as conn:
        if find_thread(conn, TENANT, JOB) is not None:
            return False
    if not _has_memory(app, actor):
        _plant_memory(app, actor)
    approved, export = (path.read_bytes() for path in ATLAS_FILES)
    open_job(app.write, app.desk, actor, NewJob(JOB, "Atlas Media", approved, export, export_version=44))
    _drive(app)
    app.act(actor, "demo", lambda tx: write_note(tx, app.desk, actor, JOB, _NOTE))
    app.act(actor, "demo", lambda tx: approve_written_note(tx, app.desk, actor, JOB, None))
    _drive(app)  # the question rests on the note, and is asked anew as version 2
    keys = app.vault.keys(TENANT, JOB)
    app.act(actor, "demo", lambda tx: write_summary(tx, keys, "compare", _STALE))
    return True


def _tenant(app: App, tenant_id: str, name: str) -> Actor:
    with app.read() as conn:
        known = any(one.id == tenant_id for one in list_tenants(conn))
    if not known:
        with app.write() as tx:
            open_tenant(tx, tenant_id, name, FIXTURE_START, starts_at=FIXTURE_START)
    return app.actor(tenant_id, None, "command line")


def _plant_memory(app: App, actor: Actor) -> None:
    """One record that may be read, one whose time has come, and one of another tenant under the same key."""
    before = replace(actor, now=actor.now - timedelta(days=60))
    foreign = _tenant(app, OTHER, "Borealis Media")
    for who, text, days in ((before, _EXPIRED, 59), (actor, _VALID, 30), (foreign, _FOREIGN, 30)):
        expires_at = who.now + timedelta(days=days)
        draft = Draft("fact", _KEY, text, 0.9, source="kick-off meeting", expires_at=expires_at)
        if who is not foreign or not _has_memory(app, foreign):
            remember_by_hand(app.write, app.desk, who, draft)


def _has_memory(app: App, actor: Actor) -> bool:
    """Say whether a tenant has any record; the other tenant keeps its own when the lab is written anew."""
    with app.read() as conn:
        return bool(list_memories(conn, actor.tenant_id, actor.now))


def _drive(app: App) -> None:
    engine = app.engine("demo", tenant_id=TENANT)
    try:
        engine.run_until_idle()
    finally:
        engine.stop()


def _remove(app: App, actor: Actor) -> None:
    def remove(tx: Tx) -> Removed:
        restart_clock(tx, TENANT)
        return remove_job(tx, actor, JOB)

    removed = app.act(actor, "demo --fresh", remove)
    remove_rest(app, TENANT, removed)
