"""One letter of a role changed: what that would do first, then the next version. Pages and commands call these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.versions import Saved, read_newest, refuse_unchanged, save_version
from core.people.people import check_is_owner
from core.steps import Config
from core.views.of_role import Standing, count_standing

KIND = "letters"
Letter = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Preview:
    """What saving would do: the letters as they would stand, and the threads that go by them."""

    letters: Config
    standing: Standing


def preview_letter(conn: Connection, actor: Actor, role_id: str, name: str, letter: Letter) -> Preview:
    """Say what a new text of one letter would do, and write nothing.

    Raises NotFound, and BadInput where it says what the letter says already.
    """
    newest = read_newest(conn, actor.tenant_id, role_id, KIND)
    content = {**newest.content, name: dict(letter)}
    refuse_unchanged(newest, content, role_id)
    return Preview(Config(KIND, newest.version + 1, content), count_standing(conn, actor.tenant_id, role_id, KIND))


def save_letter(tx: Tx, actor: Actor, role_id: str, name: str, letter: Letter, *, after: int) -> Saved:
    """Write the next version of a role's letters with one of them changed; the questions that stand come back.

    `after` is the version that the person saw as the newest: StaleVersion where there is another one by now. Raises
    NotAllowed for anybody but an owner, and what the preview raises.
    """
    check_is_owner(actor.member)
    newest = read_newest(tx.conn, actor.tenant_id, role_id, KIND)
    return save_version(tx, actor, role_id, KIND, {**newest.content, name: dict(letter)}, after=after)
