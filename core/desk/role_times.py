"""A role's times changed: its window, the reminder's offset, when questions are due. Pages and commands call this."""

from __future__ import annotations

from collections.abc import Mapping

from core.catalog.role_text import check_settings
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.versions import Saved, read_newest, save_version
from core.people.people import check_is_owner

KIND = "role"


def set_times(tx: Tx, actor: Actor, role_id: str, changed: Mapping[str, int | None], *, after: int) -> Saved:
    """Write the next version of what a role says of times; the questions that stand come back with it.

    Timers that a letter set stay as they are. Raises NotAllowed for anybody but an owner, BadInput for what is
    no time, StaleVersion where `after` is not the newest version any more.
    """
    check_is_owner(actor.member)
    newest = read_newest(tx.conn, actor.tenant_id, role_id, KIND)
    content = {**newest.content, **check_settings(newest.content, changed)}
    return save_version(tx, actor, role_id, KIND, content, after=after)
