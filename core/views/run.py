"""One run for its page: everything it shows, at eight statements and two more for each effect in doubt.

Nothing sealed is opened but what the page shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, literal, null, select, union_all

from core.effects.plan import Entry, list_entries
from core.threads.load import StoredEvent, load_events
from core.threads.rows import COLUMNS, Thread, no_thread, threads, to_thread
from core.threads.tables import AttemptRow, CheckpointRow
from core.vault.sealing import Keys, Vault
from core.vault.subjects import find_person
from core.vault.tables import SubjectFields
from core.views.asked import AskedLine, list_asked
from core.views.costs import Call, list_calls
from core.views.doubts import Doubt, read_doubts
from core.views.threads import Attempt, Checkpoint, PlanLine, _read_plan, open_frame, said_in

_fields = SubjectFields.__table__  # type: ignore[attr-defined]
_attempts = AttemptRow.__table__  # type: ignore[attr-defined]
_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `name` is None where the person gave none, or is erased."""

    thread: Thread
    name: str | None
    plan: Sequence[PlanLine]
    checkpoints: Sequence[Checkpoint]
    attempts: Sequence[Attempt]
    effects: Sequence[Entry]
    approvals: Sequence[AskedLine]
    events: Sequence[StoredEvent]
    doubts: Sequence[Doubt]
    calls: Sequence[Call]

    @property
    def has_left_over(self) -> bool:
        """Say whether an event stands here that nothing followed from and nobody has seen."""
        unused = [one for one in self.events if one.happened.late or one.consumed_by is None]
        return any(one.seen_by is None and (one.happened.late or self.thread.has_ended) for one in unused)


def read_run(conn: Connection, vault: Vault, tenant_id: str, thread_id: str) -> Run:
    """Answer one run, or raise NotFound; another tenant's is not found either."""
    keys = vault.keys_of(tenant_id, [thread_id])
    thread, name = _read_head(conn, tenant_id, thread_id, keys.get(thread_id))
    checkpoints, attempts = _read_history(conn, thread, keys.get(thread_id))
    entries = list_entries(conn, tenant_id, thread_id)
    return Run(
        thread=thread,
        name=name,
        plan=_read_plan(conn, thread, keys.get(thread_id), attempts),
        checkpoints=checkpoints,
        attempts=attempts,
        effects=entries,
        approvals=list_asked(conn, thread),
        events=load_events(conn, tenant_id, keys, unconsumed=False).get(thread_id, []),
        doubts=read_doubts(conn, vault, entries),
        calls=list_calls(conn, tenant_id, thread_id),
    )


def read_glance(conn: Connection, vault: Vault, tenant_id: str, thread_id: str, *, with_plan: bool) -> Run:
    """Answer one run by its head, and its plan where that is asked for; whatever else it has is left empty."""
    keys = vault.keys_of(tenant_id, [thread_id])
    thread, name = _read_head(conn, tenant_id, thread_id, keys.get(thread_id))
    plan = _read_plan(conn, thread, keys.get(thread_id), ()) if with_plan else ()
    return Run(thread, name, plan, (), (), (), (), (), (), ())


def _read_head(conn: Connection, tenant_id: str, thread_id: str, keys: Keys | None) -> tuple[Thread, str | None]:
    whose = and_(_fields.c.tenant_id == threads.c.tenant_id, _fields.c.thread_id == threads.c.id)
    row = conn.execute(
        select(*COLUMNS, _fields.c.version.label("person_version"), _fields.c.sealed)
        .select_from(threads.outerjoin(_fields, whose))
        .where(threads.c.tenant_id == tenant_id, threads.c.id == thread_id)
    ).first()
    if row is None:
        raise no_thread(tenant_id, thread_id)
    person = find_person(keys, row.person_version, row.sealed)
    return to_thread(row[: len(COLUMNS)]), None if person is None else person.name


def _read_history(conn: Connection, thread: Thread, keys: Keys | None) -> tuple[list[Checkpoint], list[Attempt]]:
    settled = select(
        literal("checkpoint").label("what"), _checkpoints.c.number.label("place"), _checkpoints.c.step,
        _checkpoints.c.cause, literal("").label("code"), _checkpoints.c.at, literal(0).label("lease_no"),
        null().label("frame"), _checkpoints.c.number.label("checkpoint"),
    ).where(_checkpoints.c.tenant_id == thread.tenant_id, _checkpoints.c.thread_id == thread.id)  # fmt: skip
    tried = select(
        literal("attempt"), _attempts.c.id, _attempts.c.step, _attempts.c.result, _attempts.c.code, _attempts.c.at,
        _attempts.c.lease_no, _attempts.c.frame, _attempts.c.checkpoint,
    ).where(_attempts.c.tenant_id == thread.tenant_id, _attempts.c.thread_id == thread.id)  # fmt: skip
    rows = conn.execute(union_all(settled, tried).order_by("what", "place")).all()
    checkpoints = [Checkpoint(row.place, row.step, row.cause, row.at) for row in rows if row.what == "checkpoint"]
    attempts = [_attempt(row, keys) for row in rows if row.what == "attempt"]
    return checkpoints, attempts


def _attempt(row: Any, keys: Keys | None) -> Attempt:
    frame = open_frame(keys, row.lease_no, row.frame)
    return Attempt(row.step, row.cause, row.code, row.at, said_in(frame), frame, row.checkpoint)
