"""Applications from rows: each role's funnel, one page of its applications, and one of them opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, case, func, select

from core.catalog.roles import Role, list_roles
from core.errors import DaybookError
from core.ports import Blobs, FileReader
from core.receipts.keep import read_bytes
from core.steps import Document, Json, Person
from core.threads.codec import Fields
from core.threads.load import load_fields
from core.threads.rows import COLUMNS, Thread, get_thread, threads, to_thread
from core.threads.tables import ENDED
from core.vault.sealing import Keys, Vault
from core.vault.subjects import read_readable_people
from core.views.threads import Line, read_people_of

PAGE_SIZE = 25
ENDS = ("booked", "expired", "declined", "withdrawn", "retracted")
STAGES = ("moving", "review", "held", "invited", "parked", *ENDS, "other")
_stage = case(
    (threads.c.status.in_(ENDED) & threads.c.outcome.in_(ENDS), threads.c.outcome),
    (threads.c.status.in_(ENDED), "other"),
    (threads.c.status == "awaiting_review", "review"),
    (threads.c.status == "parked", "parked"),
    ((threads.c.status == "waiting") & (threads.c.waits_for == "time"), "held"),
    (threads.c.status == "waiting", "invited"),
    else_="moving",
)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Funnel:
    """A role and how many of its applications stand at each stage; together they are all there are."""

    role: Role
    stages: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many applications there are."""
        return sum(self.stages.values())


@dataclass(frozen=True, slots=True)
class Score:
    """A criterion's points and the line they rest on; `source` is cv or cover."""

    number: int = 0
    title: str = ""
    score: int = 0
    maximum: int = 0
    quote: str = ""
    source: str = ""
    page: int | None = None
    line: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """A rule's answer (yes, no, not_stated) and where it was read: form, cv, cover, or nowhere."""

    title: str = ""
    answer: str = ""
    source: str = ""
    quote: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class File:
    """One kept file read anew; `problem` says why there is nothing to show."""

    name: str
    document: Document | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """One application: the files, and what was read of them. Without keys (erased) nothing but the thread is there."""

    thread: Thread
    person: Person | None
    cv: File | None
    cover: File | None
    scores: Sequence[Score]
    rules: Sequence[RuleAnswer]
    total: int | None
    max_total: int | None
    rubric_version: int | None
    scored_by: str
    unscored: str
    left_out: str


def list_funnels(conn: Connection, tenant_id: str) -> list[Funnel]:
    """Answer the tenant's roles, open ones first, with their applications counted by stage."""
    counted = conn.execute(
        select(threads.c.role_id, _stage.label("stage"), func.count().label("number"))
        .where(threads.c.tenant_id == tenant_id, threads.c.role_id.is_not(None), threads.c.forked_from.is_(None))
        .group_by(threads.c.role_id, _stage)
    )
    stages: dict[str, dict[str, int]] = {}
    for row in counted:
        stages.setdefault(row.role_id, {})[row.stage] = row.number
    roles = sorted(list_roles(conn, tenant_id), key=lambda role: role.status != "open")
    return [Funnel(role, stages.get(role.id, {})) for role in roles]


def list_applications(
    conn: Connection, vault: Vault, tenant_id: str, role_id: str, *, stage: str | None, number: int
) -> list[Line]:
    """Answer one page of a role's applications, the newest first; `stage` narrows them, pages begin at 1."""
    of_role = (threads.c.tenant_id == tenant_id, threads.c.role_id == role_id, threads.c.forked_from.is_(None))
    query = select(*COLUMNS).where(*of_role)
    if stage is not None:
        query = query.where(_stage == stage)
    query = query.order_by(threads.c.created_at.desc(), threads.c.id.desc())
    found = [to_thread(row) for row in conn.execute(query.limit(PAGE_SIZE).offset((number - 1) * PAGE_SIZE))]
    people = read_people_of(conn, vault, tenant_id, [thread.id for thread in found])
    return [Line(thread, people.get(thread.id)) for thread in found]


def open_application(
    conn: Connection, vault: Vault, blobs: Blobs, reader: FileReader, tenant_id: str, thread_id: str
) -> Opened:
    """Answer one application with its files read anew, or raise NotFound; another tenant's is not found either."""
    thread = get_thread(conn, tenant_id, thread_id)
    keys = vault.keys_of(tenant_id, [thread_id])
    saved = load_fields(conn, tenant_id, keys).get(thread_id, {})
    cv, cover = (_open_file(conn, blobs, reader, keys.get(thread_id), _saved(saved, name)) for name in _FILES)
    return Opened(
        thread=thread,
        person=read_readable_people(conn, tenant_id, keys).get(thread_id),
        cv=cv,
        cover=cover,
        scores=[_shaped(Score, one) for one in _saved(saved, "scores") or ()],
        rules=[_shaped(RuleAnswer, one) for one in _saved(saved, "rule_results") or ()],
        total=_saved(saved, "total"),
        max_total=_saved(saved, "max_total"),
        rubric_version=_saved(saved, "rubric_version"),
        scored_by=_saved(saved, "scored_by") or "",
        unscored=_saved(saved, "unscored") or "",
        left_out=_saved(saved, "left_out") or "",
    )


_FILES = ("cv_ref", "cover_ref")


def _saved(saved: Fields, name: str) -> Any:
    """Answer one saved field, or None where the workflow has none by that name."""
    return msgspec.json.decode(saved[name]) if name in saved else None


def _shaped(shape: type[T], written: Mapping[str, Json]) -> T:
    names = {field.name for field in fields(shape)}  # type: ignore[arg-type]
    return shape(**{name: value for name, value in written.items() if name in names})


def _open_file(conn: Connection, blobs: Blobs, reader: FileReader, keys: Keys | None, ref: str | None) -> File | None:
    if keys is None or ref is None:
        return None
    name = ""
    try:
        content, name = read_bytes(conn, blobs, keys, ref)
        return File(name, reader.read(content, name))
    except DaybookError as gone:
        return File(name, None, gone.sentence)
