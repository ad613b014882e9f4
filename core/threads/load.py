"""A claimed thread with its state, as a step will find it. Loads come in groups: one query a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, bindparam, select

from core.errors import SealedForErased, StateUnreadable
from core.steps import Happened, Rule
from core.threads.codec import Fields, read_section
from core.threads.tables import CheckpointSection, EventRow, ThreadSection
from core.vault.sealing import Keys

_sections = ThreadSection.__table__  # type: ignore[attr-defined]
_checkpoint_sections = CheckpointSection.__table__  # type: ignore[attr-defined]
_events = EventRow.__table__  # type: ignore[attr-defined]
EVENTS_RULE = Rule.CLOSE_6_MONTHS
_IDS: BindParameter[str] = bindparam("ids", expanding=True)
_CURRENT = select(_sections.c.thread_id, _sections.c.rule, _sections.c.sealed).where(
    _sections.c.tenant_id == bindparam("tenant"), _sections.c.thread_id.in_(_IDS)
)
_EVENTS = (
    select(
        _events.c.thread_id,
        _events.c.n,
        _events.c.name,
        _events.c.sealed,
        _events.c.received_at,
        _events.c.late,
        _events.c.consumed_by,
        _events.c.seen_by,
    )
    .where(_events.c.tenant_id == bindparam("tenant"), _events.c.thread_id.in_(_IDS))
    .order_by(_events.c.thread_id, _events.c.n)
)
_UNCONSUMED = _EVENTS.where(_events.c.consumed_by.is_(None))


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event's row, opened."""

    n: int
    happened: Happened
    consumed_by: int | None
    seen_by: str | None


def load_fields(conn: Connection, tenant_id: str, keys: Mapping[str, Keys]) -> dict[str, Fields]:
    """Answer the current saved fields of each thread whose keys are given."""
    rows = conn.execute(_CURRENT, {"tenant": tenant_id, "ids": list(keys)}).all()
    fields: dict[str, Fields] = {thread_id: {} for thread_id in keys}
    for thread_id, rule, sealed in rows:
        content = keys[thread_id].open(Rule(rule), "thread_sections", thread_id, sealed)
        fields[thread_id].update(read_section(content))
    return fields


def load_changes(conn: Connection, keys: Keys, unreadable: set[int] | None = None) -> dict[int, Fields]:
    """Answer, for each checkpoint of a thread, the fields that it changed.

    `unreadable` takes the checkpoints of which a section cannot be opened; without it that is raised.
    """
    rows = conn.execute(
        select(_checkpoint_sections.c.number, _checkpoint_sections.c.rule, _checkpoint_sections.c.sealed)
        .where(
            _checkpoint_sections.c.tenant_id == keys.tenant_id,
            _checkpoint_sections.c.thread_id == keys.thread_id,
        )
        .order_by(_checkpoint_sections.c.number)
    )
    changes: dict[int, Fields] = defaultdict(dict)
    for number, rule, sealed in rows:
        row = f"{keys.thread_id}#{number}"
        try:
            changes[number].update(read_section(keys.open(Rule(rule), "checkpoint_sections", row, sealed)))
        except (SealedForErased, StateUnreadable):
            if unreadable is None:
                raise
            unreadable.add(number)
    return dict(changes)


def load_events(
    conn: Connection, tenant_id: str, keys: Mapping[str, Keys], *, unconsumed: bool
) -> dict[str, list[StoredEvent]]:
    """Answer the events of each thread, in the order they came; with `unconsumed` only those nobody took."""
    found: dict[str, list[StoredEvent]] = defaultdict(list)
    for row in conn.execute(_UNCONSUMED if unconsumed else _EVENTS, {"tenant": tenant_id, "ids": list(keys)}).all():
        found[row.thread_id].append(_open_event(keys[row.thread_id], row))
    return found


def _open_event(keys: Keys, row: Any) -> StoredEvent:
    data = msgspec.json.decode(keys.open(EVENTS_RULE, "events", f"{keys.thread_id}#{row.n}", row.sealed))
    return StoredEvent(row.n, Happened(row.name, data, row.received_at, row.late), row.consumed_by, row.seen_by)


def only(events: Iterable[StoredEvent], names: Sequence[str]) -> list[StoredEvent]:
    """Answer the events of these names."""
    return [event for event in events if event.happened.name in names]
