"""The morning digest: a run of its own for each person who may decide, whose one letter leaves once for a local day."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.desk.intake import RULES
from core.duties.duties import Turn
from core.people.people import Member, list_people
from core.threads.open import NewThread, open_thread
from core.threads.rows import find_thread
from core.vault.subjects import add_subject
from core.views.digest import Letter, write_digest

Opener = Callable[[], AbstractContextManager[Tx]]
WORKFLOW = "digest"
STALE_AFTER = timedelta(hours=24)


def digest_id(turn: Turn, member: Member) -> str:
    """Name the run of a person's digest for a local day; its letter's key begins with it."""
    return f"digest/{turn.day.isoformat()}/{member.id}"


def open_digests(open_tx: Opener, desk: Desk, actor: Actor, turn: Turn, base_url: str) -> int:
    """Open the day's digest for each person who may decide, and answer how many are new. May be done again.

    A viewer decides nothing and has none; nor has who is no longer active.
    """
    with open_tx() as tx:
        people = [one for one in list_people(tx.conn, actor.tenant_id) if one.may_decide]
        wanted = [one for one in people if find_thread(tx.conn, actor.tenant_id, digest_id(turn, one)) is None]
        if not wanted:
            return 0
        letter = write_digest(tx.conn, desk.vault, actor.tenant_id, actor.now, turn.zone, base_url)
    # A subject's id that says which run it is of: a second try finds the keys of the first.
    made = [(_subject(turn, one), digest_id(turn, one), RULES) for one in wanted]
    desk.vault.make(actor.tenant_id, made)
    with open_tx() as tx:
        for member in wanted:
            _open(tx, desk, actor, turn, member, letter)
        tx.nudges = True
    return len(wanted)


def _subject(turn: Turn, member: Member) -> str:
    return f"sub-digest-{turn.day.isoformat()}-{member.id}"


def _open(tx: Tx, desk: Desk, actor: Actor, turn: Turn, member: Member, letter: Letter) -> None:
    thread_id, workflow = digest_id(turn, member), desk.workflows[WORKFLOW]
    if find_thread(tx.conn, actor.tenant_id, thread_id) is not None:
        return  # another worker was first
    state = workflow.state(
        to=member.email, to_name=member.name, subject=letter.subject, body=letter.body,
        stale_at=actor.now + STALE_AFTER,
    )  # fmt: skip
    goal = f"Tell what waits on {turn.day.isoformat()}"
    add_subject(tx, actor.tenant_id, _subject(turn, member), actor.now)
    new = NewThread(thread_id, workflow, goal, None, {}, state, member.id)
    open_thread(tx, desk.vault.keys(actor.tenant_id, thread_id), new, actor.now)
    actor.note(tx, "digest_opened", thread_id, day=turn.day.isoformat())
