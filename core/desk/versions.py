"""A new version of what a role says: what stands undecided goes by it, what was released keeps its own.

A held answer comes back with what moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from core.catalog.configs import add_config, get_config, newest_versions
from core.catalog.roles import get_role
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.taking import take_back
from core.errors import BadInput, StaleVersion
from core.people.people import check_may_decide
from core.steps import Config, Json
from core.threads.of_role import repin
from core.views.of_role import count_standing, list_held_on, reached_by


@dataclass(frozen=True, slots=True)
class Saved:
    """What saving did: how many threads go by the new version, how many keep theirs, how many held answers came back.

    Those that go by it and were asked about already are asked anew.
    """

    version: int
    undecided: int
    kept: int
    came_back: int


def read_newest(conn: Connection, tenant_id: str, role_id: str, kind: str) -> Config:
    """Answer the newest version of a kind; raises NotFound where there is no such role or kind."""
    get_role(conn, tenant_id, role_id)
    return get_config(conn, tenant_id, role_id, kind, newest_versions(conn, tenant_id, role_id).get(kind, 0))


def refuse_unchanged(newest: Config, content: Mapping[str, Json], role_id: str) -> None:
    """Raise BadInput where that is no new version."""
    if newest.content == content:
        raise BadInput(
            f"That is the {newest.kind} of {role_id} as it stands, version {newest.version}; no version was written."
        )


def save_version(
    tx: Tx, actor: Actor, role_id: str, kind: str, content: Mapping[str, Json], *, after: int | None = None
) -> Saved:
    """Write the next version of a kind, and let every thread that it reaches go by it.

    `after` is the version that the person saw as the newest: StaleVersion where there is another one by now. Raises
    NotFound, BadInput where it is the same as the newest, NotAllowed for a viewer.
    """
    check_may_decide(actor.member)
    tenant_id, newest = actor.tenant_id, read_newest(tx.conn, actor.tenant_id, role_id, kind)
    if after is not None and after != newest.version:
        raise StaleVersion(
            f"You saw version {after} of the {kind} of {role_id}; it is at version {newest.version} now. Look again."
        )
    refuse_unchanged(newest, content, role_id)
    version = add_config(tx, tenant_id, role_id, kind, content, by=actor.member.id, now=actor.now)
    standing = count_standing(tx.conn, tenant_id, role_id, kind)
    held = list_held_on(tx.conn, tenant_id, role_id, kind)
    take_back(tx, actor, held, f"{kind}_changed", lambda one: [f"{kind} {one.basis[kind]} → {version}"])
    undecided = repin(tx, reached_by(tenant_id, role_id, kind), kind, version, actor.now)
    tx.nudges = True
    saved = Saved(version, undecided, standing.kept, len(held))
    actor.note(
        tx, "version_saved", None, role=role_id, kind=kind, version=version, undecided=undecided, kept=saved.kept,
        back=saved.came_back,
    )  # fmt: skip
    return saved
