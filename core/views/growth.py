"""How a run's plan grew, and what its next call reads beside what a replayed transcript would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from core.context.show import Files, build_now
from core.errors import DaybookError
from core.receipts.tables import ReceiptRow
from core.steps import BYTES_PER_TOKEN, Workflow
from core.threads.rows import Thread
from core.vault.sealing import Vault
from core.views.plans import Revised, list_revisions

_receipts = ReceiptRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Growth:
    """The revisions, oldest first; the tokens of the next call, None at the run's end or where none can be built.

    `transcript_tokens` adds every output that the run kept to that call: what a conversation would carry at least.
    """

    revisions: Sequence[Revised]
    next_tokens: int | None
    transcript_tokens: int | None


def read_growth(
    conn: Connection, vault: Vault, thread: Thread, workflow: Workflow | None, files: Files, now: datetime
) -> Growth:
    """Answer it; tokens are estimated from bytes."""
    keys = vault.keys_of(thread.tenant_id, [thread.id]).get(thread.id)
    revisions = list_revisions(conn, thread.tenant_id, thread.id, keys)
    if thread.has_ended:
        return Growth(revisions, None, None)
    try:
        next_tokens = build_now(conn, vault, thread, workflow, now, files).admitted.tokens
    except DaybookError:
        return Growth(revisions, None, None)
    size = conn.execute(
        select(func.coalesce(func.sum(_receipts.c.size), 0)).where(
            _receipts.c.tenant_id == thread.tenant_id, _receipts.c.thread_id == thread.id
        )
    ).scalar_one()
    return Growth(revisions, next_tokens, next_tokens + round(int(size) / BYTES_PER_TOKEN))
