"""What a person does to memory. Owners and reviewers write, allow and forget; only an owner purges.

Content of a record that belongs to no thread is sealed under keys of its own, so that purging it destroys them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import BadInput, NotAllowed, StaleVersion
from core.keys import random_id
from core.memory import changing
from core.memory.door import check_record
from core.memory.memory import remember
from core.memory.reading import MemoryLine, find_line, find_row, show_memory
from core.people.people import check_may_decide
from core.steps import Origin, Record, Rule
from core.threads.rows import get_thread
from core.vault.sealing import Keys
from core.vault.subjects import refuse_erased

Opener = Callable[[], AbstractContextManager[Tx]]
_SOURCE = re.compile(r"[^\s@][^@\n]{0,119}")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draft:
    """A record as somebody wants it kept. `thread_id` names the thread it is about, if any.

    `source` is where it was learnt, an id or a few words that name nobody; left out it is the person. `is_own`: it is
    for that person's own work and not for the whole tenant.
    """

    kind: str
    key: str
    text: str
    confidence: float | None
    origin: Origin = "person"
    source: str | None = None
    drawn_from: tuple[str, ...] = ()
    expires_at: datetime | None = None
    thread_id: str | None = None
    is_own: bool = False


def remember_by_hand(open_tx: Opener, desk: Desk, actor: Actor, draft: Draft) -> MemoryLine:
    """Keep a record that a person brings, and answer it as it stands; raises MemoryRefused at the door."""
    check_may_decide(actor.member)
    record, source = _record(actor, draft)
    check_record(record, source_ref=source, now=actor.now)
    place = _place(open_tx, desk, actor, draft)

    def write(tx: Tx) -> str:
        anchor = None if draft.thread_id is None else get_thread(tx.conn, actor.tenant_id, draft.thread_id).role_id
        return remember(tx, desk.vault, place, record, source_ref=source, now=actor.now, anchor_id=anchor)

    return _written(open_tx, actor, place, write)


def _record(actor: Actor, draft: Draft) -> tuple[Record, str]:
    source = draft.source if draft.source is not None else f"person:{actor.member.id}"
    if not _SOURCE.fullmatch(source):
        raise BadInput("A memory's source is an id or a few words, such as blob:a41f or kick-off meeting; no address.")
    if draft.confidence is None:
        raise BadInput("A memory needs a confidence from 0 to 1; say how sure its source is.")
    record = Record(
        draft.kind, draft.key, draft.text, draft.confidence,
        Rule.BY_DATE if draft.thread_id is None else Rule.CLOSE_6_MONTHS,
        origin=draft.origin, drawn_from=draft.drawn_from, expires_at=draft.expires_at,
        owner_id=actor.member.id if draft.is_own else None,
    )  # fmt: skip
    return record, source


def _place(open_tx: Opener, desk: Desk, actor: Actor, draft: Draft) -> Keys:
    """Answer the keys a record is sealed under: its subject's, where it is about a thread, else its own."""
    if draft.thread_id is not None:
        with open_tx() as tx:
            thread = get_thread(tx.conn, actor.tenant_id, draft.thread_id)
            refuse_erased(tx.conn, actor.tenant_id, thread.subject_id)
        return desk.vault.keys(actor.tenant_id, thread.id)
    place = changing.place_of(random_id("m").removeprefix("m-"))
    desk.vault.make(actor.tenant_id, [(random_id("sub"), place, (Rule.BY_DATE,))])
    return desk.vault.keys(actor.tenant_id, place)


def _written(open_tx: Opener, actor: Actor, place: Keys, write: Callable[[Tx], str]) -> MemoryLine:
    with open_tx() as tx:
        memory_id = write(tx)
        line = _line(tx, actor, memory_id)
        about = None if changing.is_own_place(place.thread_id) else place.thread_id
        actor.note(tx, "remembered", about, memory=memory_id, kind=line.kind, origin=line.origin, state=line.state)
    return line


def _line(tx: Tx, actor: Actor, memory_id: str) -> MemoryLine:
    line = find_line(tx.conn, actor.tenant_id, memory_id, actor.now)
    if line is None:
        raise BadInput(f"Memory {memory_id} went while it was looked at.")
    return line


def supersede_by_hand(open_tx: Opener, desk: Desk, actor: Actor, memory_id: str, draft: Draft) -> MemoryLine:
    """Keep a new text in a record's place, under the same kind, key and owner; answers the new record."""
    check_may_decide(actor.member)
    with open_tx() as tx:
        row = find_row(tx.conn, actor.tenant_id, memory_id)
        if row is None or row.deleted_at is not None:
            show_memory(tx.conn, desk.vault, actor.tenant_id, memory_id, actor.now)  # says that it is not there
    assert row is not None  # noqa: S101 - said above
    about = None if changing.is_own_place(row.thread_id) else row.thread_id
    owner_id = None if row.owner_id == actor.tenant_id else row.owner_id
    record, source = _record(actor, replace(draft, kind=row.kind, key=memory_id, thread_id=about))
    record = replace(record, owner_id=owner_id)
    check_record(record, source_ref=source, now=actor.now)
    place = _place(open_tx, desk, actor, replace(draft, thread_id=about))

    def write(tx: Tx) -> str:
        new_id = remember(
            tx, desk.vault, place, record, source_ref=source, now=actor.now,
            anchor_id=row.anchor_id, key_hash=row.key_hash,
        )  # fmt: skip
        changing.supersede(tx, actor.tenant_id, memory_id, new_id, by=actor.member.id)
        actor.note(tx, "memory_superseded", about, memory=memory_id, superseded_by=new_id)
        return new_id

    return _written(open_tx, actor, place, write)


def change_memory(
    tx: Tx, actor: Actor, act: str, memory_id: str, *, new_id: str | None = None, seen: int | None = None
) -> MemoryLine:
    """Allow, refuse, forget, restore, expire or supersede one record, and answer it as it stands now.

    `seen` is the version that whoever acts saw; raises StaleVersion where it moved since.
    """
    check_may_decide(actor.member)
    memory_id = str(memory_id)  # an id given as an object is the same id
    _check_seen(tx, actor, {} if seen is None else {memory_id: seen})
    tenant_id, by, now = actor.tenant_id, actor.member.id, actor.now
    match act:
        case "allow":
            version = changing.allow(tx, tenant_id, memory_id, by=by)
        case "refuse":
            version = changing.refuse(tx, tenant_id, memory_id, by=by, now=now)
        case "forget":
            version = changing.forget(tx, tenant_id, memory_id, by=by, now=now)
        case "restore":
            version = changing.restore(tx, tenant_id, memory_id, by=by)
        case "expire":
            version = changing.expire(tx, tenant_id, memory_id, by=by, now=now)
        case _:
            version = changing.supersede(tx, tenant_id, memory_id, new_id or "", by=by)
    named = {} if new_id is None else {"superseded_by": new_id}
    actor.note(tx, f"memory_{_PAST.get(act, 'superseded')}", None, memory=memory_id, version=version, **named)
    return _line(tx, actor, memory_id)


def _check_seen(tx: Tx, actor: Actor, seen: Mapping[str, int]) -> None:
    for memory_id, version in seen.items():
        row = find_row(tx.conn, actor.tenant_id, memory_id)
        if row is not None and row.version != version:
            raise StaleVersion(f"Memory {memory_id} is at version {row.version}, you saw {version}; look again.")


_PAST = {
    "allow": "allowed",
    "refuse": "refused",
    "forget": "forgotten",
    "restore": "restored",
    "expire": "ended",
}


def let_stand(tx: Tx, actor: Actor, memory_id: str, seen: Mapping[str, int]) -> list[str]:
    """Say which of the records that contradict each other stands: it takes the place of the others.

    `seen` are all of them with their versions; raises StaleVersion where one moved since.
    """
    check_may_decide(actor.member)
    _check_seen(tx, actor, seen)
    others = [one for one in seen if one != memory_id]
    for one in others:
        change_memory(tx, actor, "supersede", one, new_id=memory_id)
    return others


def purge_memory(open_tx: Opener, desk: Desk, actor: Actor, memory_id: str) -> None:
    """Delete a record for good, and destroy the keys that were made for it alone."""
    check_may_decide(actor.member)
    if actor.member.access != "owner":
        raise NotAllowed(f"{actor.member.email} is a {actor.member.access}; only an owner purges memory.")
    _purge(open_tx, desk, actor, "memory_purged", lambda _tx: [str(memory_id)])


def sweep_expired(open_tx: Opener, desk: Desk, actor: Actor) -> list[str]:
    """Delete every record whose time has come, and answer which; they were gone from reads already."""
    check_may_decide(actor.member)
    find = changing.list_expired
    return _purge(open_tx, desk, actor, "memory_swept", lambda tx: find(tx, actor.tenant_id, actor.now))


def _purge(open_tx: Opener, desk: Desk, actor: Actor, act: str, find: Callable[[Tx], list[str]]) -> list[str]:
    with open_tx() as tx:
        ids = find(tx)
        places = changing.purge(tx, actor.tenant_id, ids) if ids else []
        for memory_id in ids:
            actor.note(tx, act, None, memory=memory_id)
    desk.vault.destroy(actor.tenant_id, places)
    return ids


def look_at(tx: Tx, desk: Desk, actor: Actor, memory_id: str) -> tuple[MemoryLine, str]:
    """Answer one record with its text; that it was looked at is noted."""
    line, text = show_memory(tx.conn, desk.vault, actor.tenant_id, memory_id, actor.now)
    actor.note(tx, "memory_shown", None, memory=memory_id, version=line.version)
    return line, text
