"""What a closed role keeps in: effects that leave only while the role is open.

What is planned is void. What a released answer would still plan later (a reminder) stands in the ledger as void before
its time, so that everybody can see that it does not go. An open role's step plans it again under the same key.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    and_,
    exists,
    func,
    insert,
    literal,
    null,
    select,
    true,
    type_coerce,
    update,
)

from core.db.store import Tx
from core.effects.plan import effects
from core.review.read import approvals, options
from core.steps import OnlyIf

ROLE_CLOSED = "role_closed"
_LEAVES_WHILE_OPEN = f"%{OnlyIf.ROLE_OPEN}%"


def list_ahead(tenant_id: str, threads_of: Select[tuple[str]]) -> Select[Any]:
    """Select the effects that these threads' released answers would still let out while their role is open."""
    chosen = and_(
        options.c.tenant_id == approvals.c.tenant_id,
        options.c.approval_id == approvals.c.id,
        options.c.verdict == approvals.c.verdict,
    )
    gone = exists().where(
        effects.c.tenant_id == tenant_id,
        effects.c.key == options.c.effect_key,
        effects.c.status.in_(("sending", "done", "unknown")),
    )
    return (
        select(options.c.effect_key, approvals.c.thread_id, approvals.c.id, options.c.verdict)
        .select_from(approvals.join(options, chosen))
        .where(
            approvals.c.tenant_id == tenant_id,
            approvals.c.thread_id.in_(threads_of),
            approvals.c.released_at.is_not(None),
            _is_for_open_roles(options),
            ~gone,
        )
    )


def keep_in(tx: Tx, tenant_id: str, threads_of: Select[tuple[str]], waiting: Select[tuple[str]], now: datetime) -> None:
    """Void what these threads planned for an open role, and write what those that wait would plan later as void."""
    planned = (effects.c.tenant_id == tenant_id, effects.c.status == "planned", _is_for_open_roles(effects))
    void = update(effects).where(*planned, effects.c.thread_id.in_(threads_of))
    tx.conn.execute(void.values(status="void", why=ROLE_CLOSED))
    ahead = list_ahead(tenant_id, waiting).with_only_columns(
        literal(tenant_id), options.c.effect_key, approvals.c.thread_id, options.c.kind, true(), approvals.c.id,
        options.c.verdict, options.c.only_if, null(), options.c.payload_hash, literal("void"), literal(1),
        literal(ROLE_CLOSED), literal(now, effects.c.planned_at.type),
    )  # fmt: skip
    known = exists().where(effects.c.tenant_id == tenant_id, effects.c.key == options.c.effect_key)
    tx.conn.execute(insert(effects).from_select(_COLUMNS, ahead.where(~known)))


_COLUMNS = [
    "tenant_id", "key", "thread_id", "kind", "needs_approval", "approval_id", "verdict", "only_if", "payload",
    "payload_hash", "status", "attempt", "why", "planned_at",
]  # fmt: skip


def count_ahead(conn: Connection, tenant_id: str, waiting: Select[tuple[str]]) -> int:
    """Count what these threads would still let out while their role is open."""
    ahead = list_ahead(tenant_id, waiting).subquery()
    return int(conn.execute(select(func.count()).select_from(ahead)).scalar_one())


def _is_for_open_roles(table: Any) -> ColumnElement[bool]:
    return type_coerce(table.c.only_if, String).like(_LEAVES_WHILE_OPEN)
