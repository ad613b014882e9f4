"""A screen with three applicants, Priya Shah the last, each at the question that a person answers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.bootstrap import App
from core.catalog.role_text import read_role
from core.catalog.roles import add_role, find_role
from core.demo import ROLE_FILE, write_applicants
from core.demo.people import PRIYA_SHAH
from core.desk.desk import Actor
from core.views.queue import list_queue
from core.workshop.atlas import carry_on
from core.workshop.planting import apply_all

ROLE = "role-14"
# One that the rubric puts high, one low, and Priya Shah in the middle.
APPLICANTS = (7, 11, PRIYA_SHAH)
PRIYA = f"{ROLE}/app-{len(APPLICANTS):04d}"


def plant_screen(app: App, actor: Actor) -> bool:
    """Write the role and its applicants into a tenant where they are not there yet; say whether they were written."""
    draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
    with app.read() as conn:
        if find_role(conn, actor.tenant_id, draft.id) is not None:
            return False
    contents = {**draft.contents, "role": {**draft.contents["role"], "demo": True}}
    app.act(actor, "demo", lambda tx: add_role(
        tx, actor.tenant_id, draft.id, contents, by=actor.member.id, now=actor.now))  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        apply_all(app, actor, draft.id, Path(folder), write_applicants(Path(folder), numbers=APPLICANTS))
    carry_on(app, actor, lambda: _asked(app, actor) == len(APPLICANTS))
    return True


def _asked(app: App, actor: Actor) -> int:
    with app.read() as conn:
        return sum(one.thread_id.startswith(ROLE) for one in list_queue(conn, app.vault, actor.tenant_id))
