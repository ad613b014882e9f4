"""Plan an effect, or see what the ledger knows of its key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, Row, bindparam, case, insert, select, update

from core.db.store import Tx
from core.db.types import Unreadable
from core.effects.tables import AheadRow, EffectAttempt, EffectRow
from core.errors import EffectRefused, PayloadMismatch
from core.keys import effect_key
from core.review.ask import payload_hash
from core.review.read import PAYLOAD_RULE, approvals, options
from core.steps import Effect, EffectKind, Json
from core.vault.sealing import Keys

effects = EffectRow.__table__  # type: ignore[attr-defined]
attempts = EffectAttempt.__table__  # type: ignore[attr-defined]
ahead = AheadRow.__table__  # type: ignore[attr-defined]
_ADD = insert(effects)
JOURNAL_AHEAD = "journal_ahead"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An effect that a thread's step asks for at a checkpoint.

    `needs_approval` is the adapter's declaration for this payload.
    """

    keys: Keys
    effect: Effect
    needs_approval: bool
    checkpoint: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the ledger."""

    tenant_id: str
    key: str
    thread_id: str
    kind: EffectKind
    needs_approval: bool
    approval_id: str | None
    payload_hash: str
    status: str
    attempt: int
    worker_id: str | None
    why: str | None
    planned_at: datetime
    sending_at: datetime | None
    done_at: datetime | None
    result_ref: str | None
    via: str | None = None
    trace: str | None = None
    checkpoint: int | None = None


COLUMNS = tuple(effects.c[name] for name in Entry.__dataclass_fields__)


def list_entries(conn: Connection, tenant_id: str, thread_id: str | None = None) -> list[Entry]:
    """Answer the tenant's ledger, or one thread's, in the order it was planned."""
    query = select(*COLUMNS).where(effects.c.tenant_id == tenant_id)
    if thread_id is not None:
        query = query.where(effects.c.thread_id == thread_id)
    return [Entry(*row) for row in conn.execute(query.order_by(effects.c.planned_at, effects.c.key))]


def find_entries(conn: Connection, tenant_id: str, keys: Sequence[str]) -> dict[str, Entry]:
    """Answer the rows that stand under these keys."""
    rows = conn.execute(_BY_KEY, {"tenant": tenant_id, "keys": list(keys)})
    return {row.key: Entry(*row) for row in rows}


def read_payload(conn: Connection, keys: Keys, entry: Entry) -> Mapping[str, Json]:
    """Answer the payload of an effect that needed no approval; empty where it stands in an approval's option."""
    here = (effects.c.tenant_id == entry.tenant_id, effects.c.key == entry.key)
    sealed = conn.execute(select(effects.c.payload).where(*here)).scalar_one_or_none()
    return {} if sealed is None else msgspec.json.decode(keys.open(PAYLOAD_RULE, "effects", entry.key, sealed))


_KEYS: BindParameter[str] = bindparam("keys", expanding=True)
_BY_KEY = select(*COLUMNS).where(effects.c.tenant_id == bindparam("tenant"), effects.c.key.in_(_KEYS))
# Several questions may have frozen the same payload under one key: the one that was answered with it goes first.
_CHOSEN = case((approvals.c.verdict == options.c.verdict, 0), else_=1)
_asked = approvals.alias("asked")
_FROZEN = (
    select(options.c.effect_key, options.c.approval_id, options.c.verdict, options.c.payload_hash, options.c.only_if)
    .join(approvals, (approvals.c.tenant_id == options.c.tenant_id) & (approvals.c.id == options.c.approval_id))
    .where(
        options.c.tenant_id == bindparam("tenant"),
        # By the questions of its thread: keys have no index, and a walk over all that was ever asked grows with it.
        options.c.approval_id.in_(
            select(_asked.c.id).where(
                _asked.c.tenant_id == bindparam("tenant"), _asked.c.thread_id.in_(bindparam("threads", expanding=True))
            )
        ),
        options.c.effect_key.in_(_KEYS),
    )
    .order_by(_CHOSEN, approvals.c.asked_at.desc())
)


def plan(tx: Tx, wanted: Sequence[Wanted], now: datetime) -> list[Entry | Exception]:
    """Plan effects of threads of one tenant, each once, and answer each one's row, or why it is refused.

    A key that is done or may have been sent answers what it is for the same payload, and PayloadMismatch for another.
    """
    tenant_id = wanted[0].keys.tenant_id
    names = [effect_key(one.keys.thread_id, one.effect.name) for one in wanted]
    known = find_entries(tx.conn, tenant_id, names)
    asked = {name: one.keys.thread_id for name, one in zip(names, wanted, strict=True) if one.needs_approval}
    frozen = _find_options(tx, tenant_id, asked)
    new: list[dict[str, Any]] = []
    answers = [
        _plan_one(tx, one, known.get(name), frozen.get(name, ()), new, now)
        for name, one in zip(names, wanted, strict=True)
    ]
    if new:
        tx.conn.execute(_ADD, new)
    return answers


def _find_options(tx: Tx, tenant_id: str, asked: Mapping[str, str]) -> Mapping[str, list[Any]]:
    """Answer by key the options that froze it; `asked` is the thread of each key."""
    found: dict[str, list[Any]] = {}
    if asked:
        whose = {"tenant": tenant_id, "threads": sorted(set(asked.values())), "keys": list(asked)}
        for row in tx.conn.execute(_FROZEN, whose):
            found.setdefault(row.effect_key, []).append(row)
    return found


def _plan_one(
    tx: Tx, one: Wanted, known: Entry | None, frozen: Sequence[Row[Any]], new: list[dict[str, Any]], now: datetime
) -> Entry | Exception:
    key, hashed = effect_key(one.keys.thread_id, one.effect.name), payload_hash(one.keys, one.effect)
    if known is not None and known.status in ("sending", "done", "unknown"):
        if known.payload_hash == hashed:
            return known
        return PayloadMismatch(f"{key} was used with another payload ({known.status}); it cannot be used for this one.")
    row = _row(one, key, hashed, now)
    if one.needs_approval:
        frozen_as = _as_frozen(key, next((option for option in frozen if option.payload_hash == hashed), None))
        if isinstance(frozen_as, EffectRefused):
            return frozen_as
        row |= frozen_as
    if known is None:
        new.append(row)
        return _entry(row)
    return known if _is_same(known, row) else _plan_again(tx, known, row, now)


def _as_frozen(key: str, option: Row[Any] | None) -> dict[str, Any] | EffectRefused:
    """Answer what a planned row takes over from the option that froze its payload, or why it may not leave."""
    if option is None:
        return EffectRefused(f"{key} needs an approval that names exactly this payload; none does.")
    if isinstance(option.only_if, Unreadable):
        return EffectRefused(f"What {key} depends on cannot be read; `verify` names the row.")
    return {"approval_id": option.approval_id, "verdict": option.verdict, "only_if": option.only_if, "payload": None}


def _is_same(known: Entry, row: Mapping[str, Any]) -> bool:
    return (
        known.status == "planned"
        and known.payload_hash == row["payload_hash"]
        and known.approval_id == row["approval_id"]
    )


def _row(one: Wanted, key: str, hashed: str, now: datetime) -> dict[str, Any]:
    content = msgspec.json.encode(dict(one.effect.payload))
    return {
        "tenant_id": one.keys.tenant_id,
        "key": key,
        "thread_id": one.keys.thread_id,
        "kind": one.effect.kind,
        "needs_approval": one.needs_approval,
        "approval_id": None,
        "verdict": None,
        "only_if": [str(word) for word in one.effect.only_if],
        "payload": None if one.needs_approval else one.keys.seal(PAYLOAD_RULE, "effects", key, content),
        "payload_hash": hashed,
        "status": "planned",
        "attempt": 1,
        "worker_id": None,
        "why": None,
        "planned_at": now,
        "sending_at": None,
        "done_at": None,
        "result_ref": None,
        "via": None,
        "trace": None,
        "checkpoint": one.checkpoint,
    }


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(**{name: row[name] for name in Entry.__dataclass_fields__})


def _plan_again(tx: Tx, known: Entry, row: dict[str, Any], now: datetime) -> Entry:
    keep_attempt(tx, known, now)
    row["attempt"] = known.attempt + 1
    tx.conn.execute(
        update(effects).where(effects.c.tenant_id == known.tenant_id, effects.c.key == known.key).values(**row)
    )
    return _entry(row)


def keep_attempt(tx: Tx, known: Entry, now: datetime) -> None:
    """Keep an attempt that another one follows, as it stood."""
    tx.conn.execute(
        insert(attempts).values(
            tenant_id=known.tenant_id,
            key=known.key,
            attempt=known.attempt,
            payload_hash=known.payload_hash,
            status=known.status,
            why=known.why,
            sending_at=known.sending_at,
            ended_at=now,
        )
    )


def attempt_again(tx: Tx, entry: Entry, why: str, now: datetime) -> Entry:
    """Write that an attempt certainly did not send, and plan the next one under the same payload.

    A fact that somebody wrote down meanwhile stands: then nothing changes.
    """
    planned = replace(entry, status="planned", attempt=entry.attempt + 1, why=why, sending_at=None, worker_id=None)
    done = tx.conn.execute(
        update(effects)
        .where(
            effects.c.tenant_id == entry.tenant_id,
            effects.c.key == entry.key,
            effects.c.attempt == entry.attempt,
            effects.c.status.in_(("sending", "unknown")),
        )
        .values(status="planned", attempt=planned.attempt, why=why, sending_at=None, worker_id=None)
    )
    if done.rowcount == 0:
        return entry
    keep_attempt(tx, replace(entry, status="void", why=why), now)
    return planned


_VOID = (
    update(effects)
    .where(
        effects.c.tenant_id == bindparam("b_tenant"),
        effects.c.thread_id == bindparam("b_thread"),
        effects.c.status == "planned",
    )
    .values(status="void", why=bindparam("why"))
)


def void_planned(tx: Tx, tenant_id: str, thread_ids: Sequence[str], why: str) -> None:
    """Void everything of these threads that certainly has not left."""
    if thread_ids:
        tx.conn.execute(_VOID, [{"b_tenant": tenant_id, "b_thread": one, "why": why} for one in thread_ids])
