"""Write what became of an effect: by key and attempt, whoever holds the thread by then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update

from core.db.store import Tx
from core.effects.plan import COLUMNS, Entry, attempt_again, effects
from core.errors import BadInput, NotFound

_DONE = (
    update(effects)
    .where(
        effects.c.tenant_id == bindparam("b_tenant"),
        effects.c.key == bindparam("b_key"),
        effects.c.attempt == bindparam("b_attempt"),
        (effects.c.status == "sending") | (effects.c.status == "unknown"),
    )
    .values(
        status="done",
        result_ref=bindparam("result_ref"),
        done_at=bindparam("done_at", type_=effects.c.done_at.type),
        why=None,
    )
)


def settle_done(tx: Tx, sent: Sequence[tuple[Entry, str]], now: datetime) -> None:
    """Write that effects happened, with the outside's reference. A fact about the outside: no lease is asked for."""
    if sent:
        tx.conn.execute(
            _DONE,
            [
                {
                    "b_tenant": e.tenant_id,
                    "b_key": e.key,
                    "b_attempt": e.attempt,
                    "result_ref": ref,
                    "done_at": now,
                }
                for e, ref in sent
            ],
        )


def settle_not_sent(tx: Tx, entry: Entry, why: str, now: datetime) -> None:
    """Write that an attempt certainly did not send; the next one is planned."""
    attempt_again(tx, entry, why, now)


def settle_unknown(tx: Tx, entry: Entry, why: str) -> None:
    """Write that nobody knows whether an attempt sent; a person settles it."""
    tx.conn.execute(
        update(effects)
        .where(
            effects.c.tenant_id == entry.tenant_id,
            effects.c.key == entry.key,
            effects.c.attempt == entry.attempt,
            effects.c.status == "sending",
        )
        .values(status="unknown", why=why)
    )


def get_unknown(tx: Tx, tenant_id: str, key: str) -> Entry:
    """Answer the effect whose outcome nobody knows, or raise NotFound or BadInput."""
    row = tx.conn.execute(select(*COLUMNS).where(effects.c.tenant_id == tenant_id, effects.c.key == key)).first()
    if row is None:
        raise NotFound(f"There is no effect {key!r} in tenant {tenant_id}.")
    entry = Entry(*row)
    if entry.status != "unknown":
        raise BadInput(f"{key} is {entry.status}, not unknown; only an unknown effect is settled by hand.")
    return entry


def settle_by_hand(tx: Tx, entry: Entry, *, happened: str | None, by: str, now: datetime) -> None:
    """Write what a person found out: it happened, with a reference, or it did not and may be tried again."""
    if happened is None:
        attempt_again(tx, entry, "settled_as_not_sent", now)
    else:
        settle_done(tx, [(entry, happened)], now)
        tx.conn.execute(
            update(effects)
            .where(effects.c.tenant_id == entry.tenant_id, effects.c.key == entry.key)
            .values(settled_by=by)
        )
