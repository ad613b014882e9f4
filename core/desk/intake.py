"""An application becomes a thread.

    read      each file by itself; one that cannot be read is one refused sentence
    reserve   one short transaction: the role is open, the person is new here, a number each
    keep      keys, then sealed files, flushed
    open      one transaction: subject, look-ups, receipts, thread, audit

The same person again in a role is refused with a pointer, by a look-up that the database keeps unique.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeGuard

from sqlalchemy.exc import IntegrityError

from core.catalog.configs import newest_versions
from core.catalog.roles import get_role, take_application_number
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.errors import AlreadyApplied, DaybookError, RoleClosed
from core.identity import VERSION, check_email, check_name, guess_email, list_emails
from core.keys import application_id, random_id
from core.limits import check_form
from core.names import find_name
from core.people.people import check_may_decide
from core.receipts.keep import Kept, keep, keeping, write_receipts
from core.steps import Document, Person, Rule
from core.threads.open import NewThread, open_thread
from core.vault.findable import applicant_hash, write_findable
from core.vault.sealing import Keys
from core.vault.subjects import Found, add_lookups, add_subject, find_by_hash

CHUNK = 16
_READ_AT_ONCE = 4
RULES = (Rule.CLOSE_6_MONTHS, Rule.ROLE_CLOSE, Rule.NEXT_RUBRIC)
Opener = Callable[[], AbstractContextManager[Tx]]


@dataclass(frozen=True, slots=True)
class Incoming:
    """One application at the door. `problem` is set where it could not even be opened."""

    file: str
    content: bytes
    name: str | None = None
    email: str | None = None
    cover: bytes | None = None
    form: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one application: its thread, or the reason it was refused.

    `known_as` points to the thread of a person who has applied already.
    """

    file: str
    thread_id: str | None = None
    reason: str | None = None
    code: str | None = None
    known_as: str | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    incoming: Incoming
    media_type: str
    person: Person


@dataclass(frozen=True, slots=True)
class _Reserved:
    read: _Read
    thread_id: str
    subject_id: str
    is_new_subject: bool
    applicant: str
    ordinal: int


def accept(
    open_tx: Opener,
    desk: Desk,
    actor: Actor,
    role_id: str,
    incoming: Iterable[Incoming],
    *,
    again: bool = False,
) -> list[Outcome]:
    """Take applications for a role, CHUNK at a time, and answer one outcome for each, in order.

    No more than a chunk's files are in memory at once.

    Raises NotAllowed for a viewer, NotFound for an unknown role and RoleClosed for a closed one.
    """
    check_may_decide(actor.member)
    with open_tx() as tx:
        role = get_role(tx.conn, actor.tenant_id, role_id)
    if role.status != "open":
        raise RoleClosed(f"Role {role_id} is closed; open it again before you add to it.")
    outcomes: list[Outcome] = []
    arriving = iter(incoming)
    while chunk := list(islice(arriving, CHUNK)):
        outcomes += _accept_chunk(open_tx, desk, actor, role_id, chunk, again=again)
    return outcomes


def _accept_chunk(
    open_tx: Opener, desk: Desk, actor: Actor, role_id: str, incoming: Sequence[Incoming], *, again: bool
) -> list[Outcome]:
    with ThreadPoolExecutor(_READ_AT_ONCE) as readers:
        read = list(readers.map(lambda one: _read(desk, one), incoming))
    taken: list[_Reserved] = []
    reserved: list[_Reserved | Outcome] = []
    with open_tx() as tx:
        for file in read:
            held = file if isinstance(file, Outcome) else _reserve(tx, desk, actor, role_id, file, taken, again=again)
            taken += [held] if isinstance(held, _Reserved) else []
            reserved.append(held)
    opened: dict[str, Outcome] = {}
    if taken:
        desk.vault.make(actor.tenant_id, [(one.subject_id, one.thread_id, RULES) for one in taken])
        with keeping(desk.blobs_folder):
            kept = [_keep(desk, actor, one) for one in taken]
            with open_tx() as tx:
                versions = newest_versions(tx.conn, actor.tenant_id, role_id)
                for one, files in zip(taken, kept, strict=True):
                    opened[one.thread_id] = _open(tx, desk, actor, role_id, one, files, versions)
    return [one if isinstance(one, Outcome) else opened[one.thread_id] for one in reserved]


def _read(desk: Desk, incoming: Incoming) -> _Read | Outcome:
    if incoming.problem is not None:
        return Outcome(incoming.file, reason=incoming.problem, code="unreadable_file")
    try:
        document = desk.reader.read(incoming.content, incoming.file)
        if incoming.cover is not None:
            desk.reader.read(incoming.cover, "cover note")
        return _Read(incoming, document.media_type, _person(incoming, document))
    except DaybookError as error:
        return Outcome(incoming.file, reason=error.sentence, code=error.code)


def _person(incoming: Incoming, document: Document) -> Person:
    """Answer who applies: what the form says, and only where it says nothing what the file shows."""
    text = document.visible if document.usable else ""
    read: dict[str, str] = {}
    name = check_name(incoming.name) if _is_given(incoming.name) else None
    if name is None and (found := find_name(text)):
        name, read["name"] = found.name, found.surely
    email = check_email(incoming.email) if _is_given(incoming.email) else guess_email(text)
    if email is not None and not _is_given(incoming.email):
        read["email"] = "high" if len(list_emails(text)) == 1 else "low"
    return Person(name, email, check_form(incoming.form), 1, read)


def _is_given(text: str | None) -> TypeGuard[str]:
    return bool((text or "").strip())


def _reserve(  # noqa: PLR0913 - one application's whole look
    tx: Tx, desk: Desk, actor: Actor, role_id: str, read: _Read, taken: Sequence[_Reserved], *, again: bool
) -> _Reserved | Outcome:
    """Give the application its number; one of a person who is known, or just `taken`, is refused without one."""
    applicant = applicant_hash(desk.vault, actor.tenant_id, read.person.email, read.incoming.content)
    beside = [Found(one.thread_id, one.subject_id, one.ordinal) for one in taken if one.applicant == applicant]
    earlier = [*find_by_hash(tx.conn, actor.tenant_id, "applicant", applicant, scope=role_id), *beside]
    if earlier and not again:
        return _known(read.incoming.file, earlier[-1].thread_id)
    elsewhere = earlier or find_by_hash(tx.conn, actor.tenant_id, "applicant", applicant)
    thread_id = application_id(role_id, take_application_number(tx, actor.tenant_id, role_id))
    return _Reserved(
        read=read,
        thread_id=thread_id,
        subject_id=elsewhere[-1].subject_id if elsewhere else random_id("sub"),
        is_new_subject=not elsewhere,
        applicant=applicant,
        ordinal=len(earlier) + 1,
    )


def _known(file: str, thread_id: str) -> Outcome:
    error = AlreadyApplied(
        f"This person has applied for this role already, as {thread_id}; use --again to add it anyway."
    )
    return Outcome(file, reason=error.sentence, code=error.code, known_as=thread_id)


def _keep(desk: Desk, actor: Actor, one: _Reserved) -> list[Kept]:
    keys = desk.vault.keys(actor.tenant_id, one.thread_id)
    incoming = one.read.incoming
    kept = [keep(desk.blobs, keys, incoming.content, one.read.media_type, incoming.file)]
    if incoming.cover is not None:
        kept.append(keep(desk.blobs, keys, incoming.cover, "text/plain", "cover note"))
    return kept


def _open(  # noqa: PLR0913 - one application's whole opening
    tx: Tx, desk: Desk, actor: Actor, role_id: str, one: _Reserved, kept: list[Kept], versions: Mapping[str, int]
) -> Outcome:
    keys = desk.vault.keys(actor.tenant_id, one.thread_id)
    try:
        with tx.conn.begin_nested():
            _write(tx, desk, actor, role_id, one, keys, kept, versions)
    except IntegrityError:  # the same person came through another door since the look
        found = find_by_hash(tx.conn, actor.tenant_id, "applicant", one.applicant, scope=role_id)
        for file in kept:
            desk.blobs.delete(file.ref.removeprefix("blob:"))
        return _known(one.read.incoming.file, found[-1].thread_id if found else role_id)
    actor.note(tx, "applied", one.thread_id, subject=one.subject_id)
    return Outcome(one.read.incoming.file, thread_id=one.thread_id)


def _write(  # noqa: PLR0913 - one application's whole opening
    tx: Tx,
    desk: Desk,
    actor: Actor,
    role_id: str,
    one: _Reserved,
    keys: Keys,
    kept: list[Kept],
    versions: Mapping[str, int],
) -> None:
    now, person = actor.now, one.read.person
    if one.is_new_subject:
        add_subject(tx, actor.tenant_id, one.subject_id, now)
    workflow = desk.applications.workflow
    cover = kept[1].ref if len(kept) > 1 else None
    new = NewThread(
        id=one.thread_id,
        workflow=workflow,
        goal=f"Screen {one.thread_id} against the rubric and bring it to a decision",
        role_id=role_id,
        configs=versions,
        state=desk.applications.first_state(kept[0].ref, cover, now),
        owner_id=actor.member.id,
    )
    open_thread(tx, keys, new, now)
    rule = VERSION if person.email is not None else None
    add_lookups(tx, keys, "applicant", [one.applicant], scope=role_id, rule=rule, ordinal=one.ordinal)
    write_findable(tx, desk.vault, keys, person)
    write_receipts(tx, keys, kept, now)
