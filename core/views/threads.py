"""The list of threads, and one thread whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select

from core.effects.plan import Entry, list_entries
from core.identity import fold_words
from core.review.read import Approval, list_approvals, of_threads
from core.threads.load import StoredEvent, load_events
from core.threads.rows import COLUMNS, Thread, get_thread, threads, to_thread
from core.threads.save import SUMMARY_RULE
from core.threads.tables import AttemptRow, CheckpointRow, PlanStep
from core.vault.sealing import Keys, Vault
from core.vault.subjects import find_alike, find_by_words, read_readable_people
from core.views.costs import Call, list_calls

_plan = PlanStep.__table__  # type: ignore[attr-defined]
_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]
_attempts = AttemptRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is narrowed to; None leaves a column open. `find` is an id, the start of one, or a name."""

    status: str | None = None
    workflow: str | None = None
    role_id: str | None = None
    find: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list: the thread and the name of its person, as typed (None where there is none)."""

    thread: Thread
    name: str | None


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One step of a plan. `status` is done, now, waiting_person, waiting_event, later, skipped or stopped."""

    step: str
    title: str
    status: str
    summary: str
    receipts: Sequence[str]
    attempts: int
    done_at: datetime | None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One checkpoint: its number, the step that settled, why it was written, when."""

    number: int
    step: str
    cause: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try that did not settle. `said` is the error's own sentence, `frame` all of it; empty where its key is gone.

    `checkpoint` is the one its thread stood at.
    """

    step: str
    result: str
    code: str
    at: datetime
    said: str
    frame: str = ""
    checkpoint: int = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """One thread, everything a page shows of it."""

    thread: Thread
    name: str | None
    plan: Sequence[PlanLine]
    checkpoints: Sequence[Checkpoint]
    attempts: Sequence[Attempt]
    effects: Sequence[Entry]
    approvals: Sequence[Approval]
    events: Sequence[StoredEvent]
    calls: Sequence[Call]
    alike: Sequence[str] = ()


def list_threads(
    conn: Connection,
    vault: Vault,
    tenant_id: str,
    filters: Filters,
    *,
    most: int | None = None,
    skip: int = 0,
) -> list[Line]:
    """Answer the threads that fit, those that waited longest first; `most` and `skip` page in the database."""
    query = _narrowed(conn, vault, tenant_id, filters, select(*COLUMNS)).order_by(threads.c.since_at, threads.c.id)
    if most is not None:
        query = query.limit(most).offset(skip)
    found = [to_thread(row) for row in conn.execute(query)]
    people = read_people_of(conn, vault, tenant_id, [thread.id for thread in found])
    return [Line(thread, people.get(thread.id)) for thread in found]


def count_threads(conn: Connection, vault: Vault, tenant_id: str, filters: Filters) -> int:
    """Count the threads that fit."""
    return int(conn.execute(_narrowed(conn, vault, tenant_id, filters, select(func.count()))).scalar_one())


def list_workflows(conn: Connection, tenant_id: str) -> set[str]:
    """Answer the names of the workflows that the tenant's threads follow."""
    return set(conn.execute(select(threads.c.workflow).where(threads.c.tenant_id == tenant_id).distinct()).scalars())


def count_by_status(conn: Connection, tenant_id: str) -> dict[str, int]:
    """Count the tenant's threads by status."""
    rows = conn.execute(
        select(threads.c.status, func.count()).where(threads.c.tenant_id == tenant_id).group_by(threads.c.status)
    )
    return {status: count for status, count in rows}


def _narrowed(conn: Connection, vault: Vault, tenant_id: str, filters: Filters, query: Select[Any]) -> Select[Any]:
    query = query.select_from(threads).where(threads.c.tenant_id == tenant_id)
    for column, value in (
        ("status", filters.status),
        ("workflow", filters.workflow),
        ("role_id", filters.role_id),
    ):
        if value is not None:
            query = query.where(threads.c[column] == value)
    if filters.find:
        named = find_by_words(conn, vault, tenant_id, fold_words(filters.find))
        query = query.where(threads.c.id.in_(named) | threads.c.id.startswith(filters.find, autoescape=True))
    return query


def read_people_of(conn: Connection, vault: Vault, tenant_id: str, thread_ids: Sequence[str]) -> dict[str, str | None]:
    """Answer the name of each thread's person, for those whose keys are still there and whose row is whole."""
    keys = vault.keys_of(tenant_id, thread_ids)
    return {thread_id: person.name for thread_id, person in read_readable_people(conn, tenant_id, keys).items()}


def get_whole(conn: Connection, vault: Vault, tenant_id: str, thread_id: str) -> Whole:
    """Answer one thread whole, or raise NotFound."""
    thread = get_thread(conn, tenant_id, thread_id)
    keys = vault.keys_of(tenant_id, [thread_id])
    attempts = _read_attempts(conn, thread, keys.get(thread_id))
    return Whole(
        thread=thread,
        name=read_people_of(conn, vault, tenant_id, [thread_id]).get(thread_id),
        plan=_read_plan(conn, thread, keys.get(thread_id), attempts),
        checkpoints=list_checkpoints(conn, thread),
        attempts=attempts,
        effects=list_entries(conn, tenant_id, thread_id),
        approvals=list_approvals(conn, vault, tenant_id, of_threads([thread_id])),
        events=load_events(conn, tenant_id, keys, unconsumed=False).get(thread_id, []),
        calls=list_calls(conn, tenant_id, thread_id),
        alike=find_alike(conn, tenant_id, thread_id),
    )


def _read_plan(conn: Connection, thread: Thread, keys: Keys | None, attempts: Sequence[Attempt]) -> list[PlanLine]:
    rows = conn.execute(
        select(_plan.c.step, _plan.c.title, _plan.c.status, _plan.c.summary, _plan.c.receipts, _plan.c.done_at)
        .where(_plan.c.tenant_id == thread.tenant_id, _plan.c.thread_id == thread.id)
        .order_by(_plan.c.position)
    )
    tries = Counter(attempt.step for attempt in attempts)
    lines = []
    for step, title, status, sealed, receipts, done_at in rows:
        said = "" if sealed is None or keys is None else _open_summary(keys, step, sealed)
        shown = _now(thread) if step == thread.step and status == "later" else status
        begun = shown not in ("later", "skipped", "stopped")
        lines.append(PlanLine(step, title, shown, said, receipts or (), tries[step] + int(begun), done_at))
    return lines


def _open_summary(keys: Keys, step: str, sealed: bytes) -> str:
    return keys.open(SUMMARY_RULE, "plan_steps", f"{keys.thread_id}#{step}", sealed).decode()


def _now(thread: Thread) -> str:
    """Say how the step a thread stands at stands: read off the thread, so that the two cannot differ."""
    if thread.has_ended:
        return "stopped"
    if thread.status in ("awaiting_review", "waiting"):
        return "waiting_person" if thread.waits_for == "person" else "waiting_event"
    return "now"


def list_checkpoints(conn: Connection, thread: Thread) -> list[Checkpoint]:
    """Answer a thread's checkpoints in order."""
    rows = conn.execute(
        select(_checkpoints.c.number, _checkpoints.c.step, _checkpoints.c.cause, _checkpoints.c.at)
        .where(_checkpoints.c.tenant_id == thread.tenant_id, _checkpoints.c.thread_id == thread.id)
        .order_by(_checkpoints.c.number)
    )
    return [Checkpoint(*row) for row in rows]


def _read_attempts(conn: Connection, thread: Thread, keys: Keys | None) -> list[Attempt]:
    rows = conn.execute(
        select(_attempts.c.step, _attempts.c.result, _attempts.c.code, _attempts.c.at, _attempts.c.lease_no,
               _attempts.c.frame)
        .where(_attempts.c.tenant_id == thread.tenant_id, _attempts.c.thread_id == thread.id)
        .order_by(_attempts.c.id)
    )  # fmt: skip
    return [
        Attempt(step, result, code, at, said_in(open_frame(keys, lease_no, frame)))
        for step, result, code, at, lease_no, frame in rows
    ]


def open_frame(keys: Keys | None, lease_no: int, sealed: bytes | None) -> str:
    """Answer the frames of an attempt's error as they were raised; empty where there are none, or their key is gone."""
    if keys is None or sealed is None:
        return ""
    return keys.open(SUMMARY_RULE, "attempts", f"{keys.thread_id}#{lease_no}", sealed).decode()


def said_in(frame: str) -> str:
    """Answer what an attempt said at its end: the sentence of the error, without the frames that led to it."""
    after = frame[frame.rfind("\n  File ") + 1 :].splitlines()
    said = next((line for line in after if line.strip() and not line.startswith(" ")), "")
    return said.partition(": ")[2] if said.startswith("core.errors.") else said


def questions_of(approvals: Sequence[Approval]) -> Mapping[str, list[str]]:
    """Answer, for each thread, what its pending questions are about."""
    asked: dict[str, list[str]] = {}
    for approval in approvals:
        if approval.status == "pending":
            asked.setdefault(approval.thread_id, []).append(approval.about)
    return asked
