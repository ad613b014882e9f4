"""What a demo plants in a tenant, and what is left outside the database once it is removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.bootstrap import App
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.intake import Incoming, accept
from core.desk.removal import Removed
from core.effects.journal import REMOVED, Line
from core.errors import BadInput
from core.memory.memory import remember
from core.steps import Record, Rule

if TYPE_CHECKING:  # it writes PDF and Word files; nobody but a demo pays for loading what that needs
    from core.demo import DemoApplicant, Earlier


def apply_all(app: App, actor: Actor, role_id: str, folder: Path, applicants: Sequence[DemoApplicant]) -> None:
    """Let the demo's applicants apply, each at their time before now; raises BadInput where one is refused."""
    for one in applicants:
        incoming = Incoming(
            file=one.file,
            content=(folder / one.file).read_bytes(),
            name=one.name,
            email=one.email,
            cover=one.cover.encode() if one.cover else None,
            form=one.form,
        )
        then = replace(actor, now=actor.now - one.applied_before)
        outcome = accept(app.write, app.desk, then, role_id, [incoming])[0]
        if outcome.thread_id is None:
            raise BadInput(f"The demo's {outcome.file} was refused: {outcome.reason}")
        if one.earlier is not None and one.email is not None:
            _remember_earlier(app, then, outcome.thread_id, one.email, one.earlier)


def _remember_earlier(app: App, actor: Actor, thread_id: str, email: str, earlier: Earlier) -> None:
    keys = app.vault.keys(actor.tenant_id, thread_id)
    text = earlier.text(actor.now)
    record = Record("application", email, text, 1.0, Rule.CLOSE_6_MONTHS)

    def write(tx: Tx) -> None:
        remember(tx, app.vault, keys, record, source_ref="an earlier role", now=actor.now)

    app.act(actor, "demo", write)


def remove_rest(app: App, tenant_id: str, removed: Removed) -> None:
    """Remove what a removed demo had outside the database."""
    app.vault.destroy(tenant_id, removed.threads)
    for blob_id in removed.blobs:
        app.parts.blobs.delete(blob_id)
    for key in removed.effects:
        app.outbox.remove(tenant_id, key)
    gone = [Line(tenant_id, key, "", 0, REMOVED) for key in removed.effects]
    app.parts.journal.append(gone, flush=True)  # or what the new demo lets out would be taken for done
