"""Subjects: who the data is about, found by keyed hash, never by plaintext."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec
from sqlalchemy import Connection, and_, bindparam, func, insert, select, update

from core.db.store import Tx
from core.errors import SealedForErased, StateUnreadable
from core.steps import Person, Rule
from core.vault.sealing import Keys, Vault
from core.vault.tables import Lookup, Subject, SubjectFields, Tombstone

_subjects = Subject.__table__  # type: ignore[attr-defined]
_fields = SubjectFields.__table__  # type: ignore[attr-defined]
_lookups = Lookup.__table__  # type: ignore[attr-defined]
_ADD_LOOKUP = insert(_lookups)
_tombstones = Tombstone.__table__  # type: ignore[attr-defined]

FIELDS_RULE = Rule.CLOSE_6_MONTHS
_TOMBSTONE = select(_tombstones.c.subject_id).where(
    _tombstones.c.tenant_id == bindparam("tenant"), _tombstones.c.subject_id == bindparam("subject")
)
_VERSION = select(_fields.c.version).where(
    _fields.c.tenant_id == bindparam("tenant"), _fields.c.thread_id == bindparam("thread")
)
_PEOPLE = select(_fields.c.thread_id, _fields.c.version, _fields.c.sealed).where(
    _fields.c.tenant_id == bindparam("tenant"), _fields.c.thread_id.in_(bindparam("ids", expanding=True))
)
_other = _lookups.alias("other")
ALIKE = (
    select(_other.c.thread_id)
    .select_from(
        _lookups.join(
            _other,
            and_(
                _other.c.tenant_id == _lookups.c.tenant_id,
                _other.c.kind == _lookups.c.kind,
                _other.c.hash == _lookups.c.hash,
                _other.c.subject_id != _lookups.c.subject_id,
            ),
        )
    )
    .where(
        _lookups.c.tenant_id == bindparam("tenant"),
        _lookups.c.kind == "alike",
        _lookups.c.thread_id == bindparam("thread"),
    )
    .order_by(_other.c.thread_id)
)


@dataclass(frozen=True, slots=True)
class Found:
    """A look-up's answer: the thread and the subject it belongs to, oldest first."""

    thread_id: str
    subject_id: str
    ordinal: int


def add_subject(tx: Tx, tenant_id: str, subject_id: str, now: datetime) -> None:
    """Write a new subject."""
    tx.conn.execute(insert(_subjects).values(tenant_id=tenant_id, id=subject_id, created_at=now))


def refuse_erased(conn: Connection, tenant_id: str, subject_id: str) -> None:
    """Raise SealedForErased where a tombstone stands."""
    if conn.execute(_TOMBSTONE, {"tenant": tenant_id, "subject": subject_id}).first():
        raise SealedForErased(f"Subject {subject_id} was erased; nothing more is written about them.")


def write_person(tx: Tx, keys: Keys, person: Person) -> None:
    """Write the current version of a thread's person, sealed."""
    content = msgspec.json.encode(
        {"name": person.name, "email": person.email, "form": dict(person.form), "read": dict(person.read)}
    )
    row = {
        "tenant_id": keys.tenant_id,
        "thread_id": keys.thread_id,
        "subject_id": keys.subject_id,
        "version": person.version,
        "sealed": keys.seal(FIELDS_RULE, "subject_fields", keys.thread_id, content),
    }
    here = and_(_fields.c.tenant_id == keys.tenant_id, _fields.c.thread_id == keys.thread_id)
    if person.version == 1:
        tx.conn.execute(insert(_fields), row)
    else:
        tx.conn.execute(update(_fields).where(here).values(version=row["version"], sealed=row["sealed"]))


def read_people(conn: Connection, tenant_id: str, keys: dict[str, Keys]) -> dict[str, Person]:
    """Answer the person of each thread whose keys are given."""
    rows = conn.execute(_PEOPLE, {"tenant": tenant_id, "ids": list(keys)}).all()
    return {row.thread_id: open_person(keys[row.thread_id], row.version, row.sealed) for row in rows}


def read_readable_people(conn: Connection, tenant_id: str, keys: dict[str, Keys]) -> dict[str, Person]:
    """Answer the same for what looks and never acts: a person whose row is damaged is left out."""
    rows = conn.execute(_PEOPLE, {"tenant": tenant_id, "ids": list(keys)})
    found = {row.thread_id: find_person(keys[row.thread_id], row.version, row.sealed) for row in rows}
    return {thread_id: person for thread_id, person in found.items() if person is not None}


def find_person(keys: Keys | None, version: int, sealed: bytes | None) -> Person | None:
    """Answer a thread's person for what looks and never acts; None where there is none that can be read."""
    try:
        return None if keys is None or sealed is None else open_person(keys, version, sealed)
    except (StateUnreadable, SealedForErased):
        return None


def open_person(keys: Keys, version: int, sealed: bytes) -> Person:
    """Open the sealed fields of a thread's person, as they stand in its row."""
    held = msgspec.json.decode(keys.open(FIELDS_RULE, "subject_fields", keys.thread_id, sealed))
    return Person(held["name"], held["email"], held["form"], version, held.get("read", {}))


def find_person_version(conn: Connection, tenant_id: str, thread_id: str) -> int | None:
    """Answer the version of a thread's person that stands, without opening it; None where there is no person."""
    return conn.execute(_VERSION, {"tenant": tenant_id, "thread": thread_id}).scalar_one_or_none()


def add_lookups(  # noqa: PLR0913 - one row's columns
    tx: Tx, keys: Keys, kind: str, hashes: Sequence[str], *, scope: str, rule: int | None = None, ordinal: int = 1
) -> None:
    """Make the thread findable by these keyed hashes; a taken (kind, scope, hash, ordinal) is an IntegrityError.

    `rule` is the version of the rule by which what was hashed was made comparable.
    """
    rows = [
        {
            "tenant_id": keys.tenant_id,
            "kind": kind,
            "scope": scope,
            "hash": value,
            "ordinal": ordinal,
            "rule": rule,
            "subject_id": keys.subject_id,
            "thread_id": keys.thread_id,
        }
        for value in dict.fromkeys(hashes)
    ]
    if rows:
        tx.conn.execute(_ADD_LOOKUP, rows)


def drop_lookups(tx: Tx, tenant_id: str, thread_id: str, kind: str) -> None:
    """Make the thread no longer findable by one kind."""
    tx.conn.execute(
        _lookups.delete().where(
            _lookups.c.tenant_id == tenant_id, _lookups.c.thread_id == thread_id, _lookups.c.kind == kind
        )
    )


def find_by_hash(conn: Connection, tenant_id: str, kind: str, value: str, *, scope: str | None = None) -> list[Found]:
    """Answer the threads that stand under a keyed hash, in the order they came."""
    query = select(_lookups.c.thread_id, _lookups.c.subject_id, _lookups.c.ordinal).where(
        _lookups.c.tenant_id == tenant_id, _lookups.c.kind == kind, _lookups.c.hash == value
    )
    if scope is not None:
        query = query.where(_lookups.c.scope == scope)
    rows = conn.execute(query.order_by(_lookups.c.ordinal, _lookups.c.thread_id))
    return [Found(row.thread_id, row.subject_id, row.ordinal) for row in rows]


def find_alike(conn: Connection, tenant_id: str, thread_id: str) -> list[str]:
    """Answer the threads of other subjects whose address differs from this one's in dots and tags only."""
    rows = conn.execute(ALIKE, {"tenant": tenant_id, "thread": thread_id})
    return [row.thread_id for row in rows]


def find_by_words(
    conn: Connection, vault: Vault, tenant_id: str, words: Sequence[str], *, most: int | None = None
) -> list[str]:
    """Answer the threads whose person's name has all of these folded words, `most` of them where that is given."""
    hashes = {vault.lookup_hash(tenant_id, "name_word", word) for word in words}
    if not hashes:
        return []
    query = (
        select(_lookups.c.thread_id)
        .where(_lookups.c.tenant_id == tenant_id, _lookups.c.kind == "name_word", _lookups.c.hash.in_(hashes))
        .group_by(_lookups.c.thread_id)
        .having(func.count(_lookups.c.hash) == len(hashes))
        .order_by(_lookups.c.thread_id)
        .limit(most)
    )
    return [row.thread_id for row in conn.execute(query)]


def find_names(conn: Connection, vault: Vault, tenant_id: str, words: Set[str]) -> dict[str, tuple[set[str], int]]:
    """Answer each thread whose person's name has any of these folded words: which ones, and how many words it has."""
    of = {vault.lookup_hash(tenant_id, "name_word", word): word for word in words}
    named = and_(_lookups.c.tenant_id == tenant_id, _lookups.c.kind == "name_word")
    hit = select(_lookups.c.thread_id).where(named, _lookups.c.hash.in_(list(of)))
    rows = conn.execute(
        select(_lookups.c.thread_id, _lookups.c.hash)
        .where(named, _lookups.c.thread_id.in_(hit))
        .order_by(_lookups.c.thread_id)
    )
    found: dict[str, tuple[set[str], int]] = {}
    for thread_id, value in rows:
        said, size = found.get(thread_id, (set(), 0))
        found[thread_id] = (said | {of[value]} if value in of else said, size + 1)
    return found


def amended(person: Person, *, name: str | None, email: str | None) -> Person | None:
    """Answer the person's next version with what was given changed; None where nothing differs.

    What was read in a file and is given just so is confirmed: that differs, for it is no longer only read.
    """
    given = {"name": name, "email": email}
    still_read = {key: surely for key, surely in person.read.items() if not given.get(key)}
    changed = replace(person, name=name or person.name, email=email or person.email, read=still_read)
    return None if changed == person else replace(changed, version=person.version + 1)
