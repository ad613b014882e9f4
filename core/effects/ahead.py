"""Hold the ledger against the effect journal (contract C3): what may have left and the database does not know of.

A send is committed before its line is written, so a journal names nothing that its own database does not know. Where
it does, the database went back: an older copy was put in its place, or its newest commits were lost. What the journal
names beyond the ledger may have left: its row becomes unknown, for a person to settle. A key without a row is kept in
`effects_ahead` until it is planned, which writes the row as unknown.

How far the journal was read stands in the database and goes back with it, so that what is new costs what it is long,
whichever process wrote it; asking whether anything is new costs one row and one look at the file's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, update

from core.audit.note import Note, note
from core.db.store import Tx
from core.db.upsert import Upsert
from core.effects.journal import BEGIN, DONE, NOT_SENT, REMOVED, UNKNOWN, Journal, Line, Place
from core.effects.plan import JOURNAL_AHEAD, Entry, ahead, attempts, effects, find_entries, keep_attempt
from core.effects.tables import JournalRead
from core.review.decide import mark_released

_reads = JournalRead.__table__  # type: ignore[attr-defined]
_PLACE = select(_reads.c.byte_count, _reads.c.ending).where(_reads.c.tenant_id == bindparam("tenant"))
_KEEP_PLACE = Upsert(_reads, ("tenant_id",), ("byte_count", "ending"))
_KEEP_AHEAD = Upsert(ahead, ("tenant_id", "key"), ("attempt", "payload_hash"))
_KEYS: BindParameter[str] = bindparam("keys", expanding=True)
_AHEAD = select(ahead).where(ahead.c.tenant_id == bindparam("tenant"), ahead.c.key.in_(_KEYS))
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Left:
    """The newest attempt under a key that may have left, as the journal tells it. `is_done`: it says that it did."""

    key: str
    attempt: int
    payload_hash: str
    is_done: bool


@dataclass
class Story:
    """What a stretch of the journal tells of one tenant: by key what may have left, and the keys that were removed."""

    left: dict[str, Left] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)


def hold_against_journal(tx: Tx, journal: Journal, tenant_id: str, now: datetime) -> Sequence[int]:
    """Make unknown what the journal names beyond a tenant's ledger; answers which new lines cannot be read."""
    row = tx.conn.execute(_PLACE, {"tenant": tenant_id}).first()
    place = BEGIN if row is None else Place(*row)
    if not journal.has_grown(place):
        return ()
    stretch = journal.read_on(place)
    told = tell(stretch.lines, tenant_id)
    _forget(tx, tenant_id, sorted(told.removed))
    for left, entry in list_ahead(tx.conn, tenant_id, told.left.values()):
        if entry is None:
            named = {"attempt": left.attempt, "payload_hash": left.payload_hash}
            _KEEP_AHEAD.run(tx.conn, {"tenant_id": tenant_id, "key": left.key, **named})
        else:
            _make_unknown(tx, entry, left, now)
    end = {"tenant_id": tenant_id, "byte_count": stretch.end.byte_count, "ending": stretch.end.ending}
    _KEEP_PLACE.run(tx.conn, end)
    return stretch.unreadable


def tell(lines: Iterable[Line], tenant_id: str) -> Story:
    """Add the lines of one tenant up, in the order they were written."""
    phases: dict[str, dict[int, tuple[str, str]]] = {}
    story = Story()
    for line in lines:
        if line.tenant != tenant_id:
            continue
        if line.phase == REMOVED:
            phases.pop(line.key, None)
            story.removed.add(line.key)
            continue
        of_key = phases.setdefault(line.key, {})
        before = of_key.get(line.attempt, ("", ""))[0]
        # What was done or in doubt once is not undone by a later try under the same key that did not get out.
        phase = before if before == DONE or (before == UNKNOWN and line.phase != DONE) else line.phase
        of_key[line.attempt] = (phase, line.payload_hash)
    for key, of_key in phases.items():
        may = [attempt for attempt, (phase, _) in of_key.items() if phase != NOT_SENT]
        if may:
            phase, payload_hash = of_key[max(may)]
            story.left[key] = Left(key, max(may), payload_hash, phase == DONE)
    return story


def list_ahead(
    conn: Connection, tenant_id: str, told: Iterable[Left], *, but: frozenset[str] = frozenset()
) -> Iterator[tuple[Left, Entry | None]]:
    """Yield what the ledger does not know, each with the row that stands under its key, if there is one.

    `but` are keys that are not looked at.
    """
    wanted = [left for left in told if left.key not in but]
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        rows = find_entries(conn, tenant_id, [left.key for left in batch])
        for left in batch:
            entry = rows.get(left.key)
            if entry is None or not _knows(entry, left):
                yield left, entry


def _knows(entry: Entry, left: Left) -> bool:
    """Say whether a row knows of an attempt: as in sending, done or unknown, or as one that a later one followed."""
    match entry.status:
        case "done":
            return True
        case "unknown":
            return entry.attempt >= left.attempt
        case "sending":  # that it is done is written to the journal only once the ledger knows it
            return entry.attempt > left.attempt or (entry.attempt == left.attempt and not left.is_done)
        case _:
            return entry.attempt > left.attempt


def _make_unknown(tx: Tx, entry: Entry, left: Left, now: datetime) -> Entry:
    if left.attempt > entry.attempt:
        keep_attempt(tx, entry, now)
        _keep_skipped(tx, entry, range(entry.attempt + 1, left.attempt), now)
    unknown = replace(
        entry, status="unknown", attempt=max(entry.attempt, left.attempt), why=JOURNAL_AHEAD, worker_id=None
    )
    tx.conn.execute(
        update(effects)
        .where(effects.c.tenant_id == entry.tenant_id, effects.c.key == entry.key)
        .values(status=unknown.status, attempt=unknown.attempt, why=unknown.why, worker_id=None)
    )
    if entry.approval_id is not None:
        mark_released(tx, entry.tenant_id, [entry.approval_id], now)
    detail = {"key": entry.key, "attempt": left.attempt, "why": JOURNAL_AHEAD}
    note(tx, Note(entry.tenant_id, now, "worker", "effect_ahead", entry.thread_id, detail))
    return unknown


def list_held(conn: Connection, tenant_id: str) -> list[str]:
    """Answer the keys of a tenant that the journal knows and no row of the ledger stands under."""
    return list(conn.execute(select(ahead.c.key).where(ahead.c.tenant_id == tenant_id).order_by(ahead.c.key)).scalars())


def heed_ahead(tx: Tx, tenant_id: str, planned: Sequence[Entry], now: datetime) -> dict[str, Entry]:
    """Make unknown what was planned under a key that the journal knew before the ledger did; answers those rows."""
    found = {row.key: row for row in tx.conn.execute(_AHEAD, {"tenant": tenant_id, "keys": [e.key for e in planned]})}
    taken = {
        entry.key: _make_unknown(tx, entry, Left(entry.key, row.attempt, row.payload_hash, is_done=False), now)
        for entry in planned
        if (row := found.get(entry.key)) is not None
    }
    _forget(tx, tenant_id, list(taken))
    return taken


def _keep_skipped(tx: Tx, entry: Entry, skipped: range, now: datetime) -> None:
    rows = [
        {
            "tenant_id": entry.tenant_id, "key": entry.key, "attempt": attempt, "payload_hash": entry.payload_hash,
            "status": "unknown", "why": JOURNAL_AHEAD, "sending_at": None, "ended_at": now,
        }
        for attempt in skipped
    ]  # fmt: skip
    if rows:
        tx.conn.execute(insert(attempts), rows)


def _forget(tx: Tx, tenant_id: str, keys: Sequence[str]) -> None:
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        tx.conn.execute(delete(ahead).where(ahead.c.tenant_id == tenant_id, ahead.c.key.in_(batch)))
