"""Another version of a role's rubric: undecided threads are scored anew, released ones keep theirs.

A held answer comes back with what moved. Overrides are recall of one version; they end with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from core.catalog.rubric_changes import Change, list_changes
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.desk.pricing import Cost, cost_of_scoring
from core.desk.trial import Tried, try_rubric
from core.desk.versions import Saved, read_newest, refuse_unchanged, save_version
from core.memory.expiry import rubric_changed
from core.people.people import check_is_owner
from core.steps import Config, Json
from core.views.of_role import Standing, count_standing, ids_of, undecided

KIND = "rubric"


@dataclass(frozen=True, slots=True)
class Preview:
    """What saving would do. `sample` is None where trying it would cost money."""

    role_id: str
    version: int
    standing: Standing
    cost: Cost
    changes: Sequence[Change]
    sample: Sequence[Tried] | None


def preview_rubric(conn: Connection, desk: Desk, actor: Actor, role_id: str, content: Mapping[str, Json]) -> Preview:
    """Say what another version would do, and write nothing.

    Raises NotFound, NotAllowed for anybody but an owner, and BadInput where it is the same as the newest.
    """
    check_is_owner(actor.member)
    newest = read_newest(conn, actor.tenant_id, role_id, KIND)
    refuse_unchanged(newest, content, role_id)
    standing = count_standing(conn, actor.tenant_id, role_id, KIND)
    ids = [row.id for row in conn.execute(ids_of(undecided(actor.tenant_id, role_id)).order_by("id"))]
    wanted = Config(KIND, newest.version + 1, content)
    return Preview(
        role_id=role_id,
        version=wanted.version,
        standing=standing,
        cost=cost_of_scoring(conn, desk, actor.tenant_id, role_id, standing.undecided),
        changes=list_changes(newest.content, content),
        sample=try_rubric(conn, desk, actor, wanted, ids),
    )


def save_rubric(tx: Tx, actor: Actor, role_id: str, content: Mapping[str, Json], *, after: int | None = None) -> Saved:
    """Write the next version, and let every undecided thread be scored anew under it; raises as the preview does.

    `after` is the version that the person saw as the newest: StaleVersion where there is another one by now.
    """
    check_is_owner(actor.member)
    saved = save_version(tx, actor, role_id, KIND, content, after=after)
    rubric_changed(tx, actor.tenant_id, role_id, actor.now)
    return saved
