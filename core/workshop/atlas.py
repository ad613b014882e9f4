"""The demo's Atlas job: paused at review, its export read, memory that it may and may not see."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from core.bootstrap import App, open_tenant
from core.clock import FIXTURE_START, pulse
from core.db.store import Tx
from core.demo import ATLAS_FILES
from core.desk.desk import Actor
from core.desk.jobs import NewJob, open_job
from core.desk.memory import Draft, remember_by_hand
from core.desk.notes import approve_written_note, write_note
from core.desk.removal import Removed, remove_job
from core.errors import StepFailed
from core.memory.reading import list_memories
from core.people.tenants import list_tenants, restart_clock
from core.threads.rows import find_thread
from core.threads.save import write_summary
from core.views.queue import list_queue
from core.workshop.planting import remove_rest

TENANT, OTHER, JOB = "atlas", "borealis", "job_atlas_17"
KEY = "campaign/C-208"
VALID = "The client extended Winter Garden by one week in June and expected to spend a little more."
EXPIRED = "Winter Garden is billed together with Old Mill until the end of June."
FOREIGN = "Winter Garden belongs to Borealis Media and is not to be shown to anyone else."
SOURCE = "kick-off meeting"
_NOTE = "The agency was asked about Winter Garden; its invoice shows the same amount as the export."
# What an earlier run said of it and no row says any more: it stays in the plan, and out of every packet.
STALE = "d_08 was found; approval pending."
_LONGEST_SECONDS, _AGAIN_SECONDS = 20.0, 0.05


def seed_atlas(app: App, *, fresh: bool) -> bool:
    """Write the lab's fixture in the demo's own tenant where it is not there yet, and say whether it was written."""
    actor = fixture_tenant(app, TENANT, "Atlas Media")
    if fresh:
        _remove(app, actor)
        actor = app.actor(TENANT, None, "command line")  # at the clock's start again
    plant_foreign(app)
    return plant_atlas(app, actor)


def plant_atlas(app: App, actor: Actor) -> bool:
    """Write the paused job with its memory into a tenant where it is not there yet, and say whether it was written."""
    with app.read() as conn:
        if find_thread(conn, actor.tenant_id, JOB) is not None:
            return False
    if not list_kept(app, actor):
        _plant_memory(app, actor)
    approved, export = (path.read_bytes() for path in ATLAS_FILES)
    open_job(app.write, app.desk, actor, NewJob(JOB, "Atlas Media", approved, export, export_version=44))
    carry_on(app, actor, lambda: _asked(app, actor) == 1)
    app.act(actor, "demo", lambda tx: write_note(tx, app.desk, actor, JOB, _NOTE))
    app.act(actor, "demo", lambda tx: approve_written_note(tx, app.desk, actor, JOB, None))
    carry_on(app, actor, lambda: _asked(app, actor) == 2)  # the question rests on the note, and is asked anew
    keys = app.vault.keys(actor.tenant_id, JOB)
    app.act(actor, "demo", lambda tx: write_summary(tx, keys, "compare", STALE))
    return True


def plant_foreign(app: App) -> str:
    """Keep a record of another tenant under the same key, once, and answer its id."""
    foreign = fixture_tenant(app, OTHER, "Borealis Media")
    known = list_kept(app, foreign)
    if known:
        return known[0]
    expires_at = foreign.now + timedelta(days=30)
    draft = Draft("fact", KEY, FOREIGN, 0.9, source=SOURCE, expires_at=expires_at)
    return remember_by_hand(app.write, app.desk, foreign, draft).id


def fixture_tenant(app: App, tenant_id: str, name: str) -> Actor:
    """Open a tenant on a fixture clock where it is not there yet, and answer its owner at the command line."""
    with app.read() as conn:
        known = any(one.id == tenant_id for one in list_tenants(conn))
    if not known:
        with app.write() as tx:
            open_tenant(tx, tenant_id, name, FIXTURE_START, starts_at=FIXTURE_START)
    return app.actor(tenant_id, None, "command line")


def list_kept(app: App, actor: Actor) -> list[str]:
    """Answer the ids of a tenant's records; the other tenant keeps its own when the lab is written anew."""
    with app.read() as conn:
        return [one.id for one in list_memories(conn, actor.tenant_id, actor.now)]


def carry_on(app: App, actor: Actor, is_there: Callable[[], bool]) -> None:
    """Drive what is due of a tenant until it is there; where another worker has it in hand, wait for that one.

    Raises StepFailed after twenty seconds.
    """
    until = pulse() + _LONGEST_SECONDS
    while True:
        engine = app.engine("demo", tenant_id=actor.tenant_id)
        try:
            engine.run_until_idle()
        finally:
            engine.stop()
        if is_there():
            return
        if pulse() > until:
            raise StepFailed(f"What was planted in {actor.tenant_id} did not come to its question; look at its run.")
        time.sleep(_AGAIN_SECONDS)


def _plant_memory(app: App, actor: Actor) -> None:
    """One record that may be read and one whose time has come, under the same key."""
    before = replace(actor, now=actor.now - timedelta(days=60))
    for who, text, days in ((before, EXPIRED, 59), (actor, VALID, 30)):
        draft = Draft("fact", KEY, text, 0.9, source=SOURCE, expires_at=who.now + timedelta(days=days))
        remember_by_hand(app.write, app.desk, who, draft)


def _asked(app: App, actor: Actor) -> int | None:
    """Answer the version of the job's question, or None while there is none."""
    with app.read() as conn:
        found = [one for one in list_queue(conn, app.vault, actor.tenant_id) if one.thread_id == JOB]
    return found[0].version if found else None


def _remove(app: App, actor: Actor) -> None:
    def remove(tx: Tx) -> Removed:
        restart_clock(tx, TENANT)
        return remove_job(tx, actor, JOB)

    removed = app.act(actor, "demo --fresh", remove)
    remove_rest(app, TENANT, removed)
