"""A run's history: its state at each checkpoint, what changed there field by field, and what each change came from.

The causes are read off rows and off what the workflow declares of its fields: the step, the person whose answer it
took, the event, the call of a model with the rows it was sent, the memory recalled, the version it rests on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, select

from core.context.tables import ManifestRow
from core.steps import Json, Kind, Workflow
from core.threads.load import StoredEvent, load_changes, load_events
from core.threads.rows import Thread
from core.threads.tables import CheckpointRow
from core.vault.sealing import Keys, Vault
from core.views.asked import AskedLine, list_asked
from core.views.differences import ABSENT, Difference, list_differences

_checkpoints = CheckpointRow.__table__  # type: ignore[attr-defined]
_manifests = ManifestRow.__table__  # type: ignore[attr-defined]
Source = Literal["step", "person", "event", "model", "recall", "version"]


@dataclass(frozen=True, slots=True)
class Cause:
    """What a change came from, in words; `ref` names the row."""

    source: Source
    words: str
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """One difference and its causes, the step first."""

    difference: Difference
    causes: Sequence[Cause]


@dataclass(frozen=True, slots=True)
class Moment:
    """One checkpoint: what settled, the whole state that stood then, and what of it was new.

    `is_whole` is False where a key is gone, so that fields are missing from it.
    """

    number: int
    step: str
    next_step: str
    cause: str
    at: datetime
    fields: Mapping[str, Json]
    changes: Sequence[Changed]
    causes: Sequence[Cause]
    is_whole: bool = True


@dataclass
class _Came:
    """What came to a thread, by the checkpoint that took it."""

    asked: Sequence[AskedLine]
    events: Sequence[StoredEvent]
    calls: Sequence[Any]
    titles: Mapping[str, str]
    marks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_history(conn: Connection, vault: Vault, thread: Thread, workflow: Workflow | None) -> list[Moment]:
    """Answer every checkpoint, the first first; fields whose key is gone are left out and said so."""
    keys = vault.keys_of(thread.tenant_id, [thread.id])
    rows = conn.execute(
        select(
            _checkpoints.c.number,
            _checkpoints.c.step,
            _checkpoints.c.next_step,
            _checkpoints.c.cause,
            _checkpoints.c.at,
        )
        .where(_checkpoints.c.tenant_id == thread.tenant_id, _checkpoints.c.thread_id == thread.id)
        .order_by(_checkpoints.c.number)
    ).all()
    unreadable: set[int] = set()
    changed = {} if thread.id not in keys else load_changes(conn, keys[thread.id], unreadable)
    came = _read_came(conn, keys, thread, workflow)
    moments: list[Moment] = []
    fields: Mapping[str, Json] = {}
    for row in rows:
        now = {**fields, **{name: msgspec.json.decode(raw) for name, raw in changed.get(row.number, {}).items()}}
        is_whole = thread.id in keys and row.number not in unreadable
        moments.append(_moment(row, fields, now, came, is_whole=is_whole))
        fields = now
    return moments


def _read_came(conn: Connection, keys: dict[str, Keys], thread: Thread, workflow: Workflow | None) -> _Came:
    calls = conn.execute(
        select(_manifests.c.checkpoint, _manifests.c.model, _manifests.c.purpose, _manifests.c["items"])
        .where(_manifests.c.tenant_id == thread.tenant_id, _manifests.c.thread_id == thread.id)
        .order_by(_manifests.c.checkpoint, _manifests.c.n)
    ).all()
    events = load_events(conn, thread.tenant_id, keys, unconsumed=False).get(thread.id, [])
    came = _Came(list_asked(conn, thread), events, calls, {})
    if workflow is not None:
        came.titles = {step.name: step.title for step in workflow.steps}
        came.marks = {one.name: one.metadata for one in dataclasses.fields(workflow.state)}
    return came


def _moment(row: Any, before: Mapping[str, Json], now: Mapping[str, Json], came: _Came, *, is_whole: bool) -> Moment:
    causes = list(_causes(row, came))
    changes = [Changed(one, [*causes, *_of_field(one.field, now, came.marks)]) for one in list_differences(before, now)]
    return Moment(row.number, row.step, row.next_step, row.cause, row.at, now, changes, causes, is_whole)


_CAUSE = {
    "open": "the application as it came in",
    "undo": "an answer taken back",
    "amend": "the person's fields amended",
}


def _causes(row: Any, came: _Came) -> list[Cause]:
    """Answer what a checkpoint came from: its step, and whatever that took."""
    step = Cause("step", _CAUSE.get(row.cause, came.titles.get(row.step, row.step)), row.step)
    people = [
        Cause("person", f"{one.decided_by or 'somebody'}: {one.status} ({one.about})", f"{one.id}@{one.version}")
        for one in came.asked
        if one.consumed_by == row.number and row.cause == "step"
    ]
    events = [
        Cause("event", one.happened.name, f"event {one.n}") for one in came.events if one.consumed_by == row.number
    ]
    calls = [
        Cause(
            "model", f"{one.model} ({one.purpose})", ", ".join(f"{sent['id']}@{sent['version']}" for sent in one.items)
        )
        for one in came.calls
        if one.checkpoint == row.number
    ]
    return [step, *people, *events, *calls]


def _of_field(name: str, now: Mapping[str, Json], marks: Mapping[str, Mapping[str, Any]]) -> list[Cause]:
    """Answer what the workflow declares of a field: that it is a memory, or the version it rests on."""
    mark, value = marks.get(name, {}), now.get(name, ABSENT)
    causes = []
    if mark.get("kind") is Kind.RECALL and isinstance(value, Mapping) and "id" in value:
        causes.append(Cause("recall", "memory", f"{value['id']}@{value.get('version', '?')}"))
    under = mark.get("under")
    if under is not None and now.get(under) is not None:
        kind = under.removesuffix("_version")
        causes.append(Cause("version", f"{kind} version {now[under]}", f"{kind}@{now[under]}"))
    return causes
