"""What a model is sent, field by field: as it was at a step, or as it would be now."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from core.audit.note import Note, note
from core.bootstrap import App
from core.cli.edge import columns, opened, say, tenant_of
from core.cli.options import AsJson, Tenant
from core.context.show import Built, Shown, as_sent, build_now
from core.errors import DaybookError
from core.receipts.keep import read_bytes
from core.steps import Document, Json
from core.threads.rows import Thread, get_thread
from core.vault.sealing import Keys


def context(
    thread_id: Annotated[str, typer.Argument(metavar="ID")],
    step: Annotated[
        str | None, typer.Option(help="As sent at this step: its name, or its checkpoint's number. Left out: as now.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show a packet's manifest: each item with its source, version and size, and what was left out and why."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            thread = get_thread(conn, tenant_id, thread_id)
        shown = _now(app, thread).shown(thread) if step is None else _then(app, thread, step)
        shaped = _shape(shown)
        rows = [
            (one["slot"], one["source"], one["id"], f"v{one['version']}", f"{one['tokens']} tokens", one["value"])
            for one in shaped["items"]
        ]
        left = shaped["filtered"]
        rows += [("left out", one["source"], one["id"], one["reason"], one.get("part", ""), "") for one in left]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing would be sent."))


def _now(app: App, thread: Thread) -> Built:
    """Build it, and note what was read of memory for it."""
    now = app.now(thread.tenant_id)
    with app.read() as conn:

        def read_file(keys: Keys, ref: str) -> Document:
            content, name = read_bytes(conn, app.parts.blobs, keys, ref)
            return app.parts.reader.read(content, name)

        built = build_now(conn, app.vault, thread, app.parts.workflows.get(thread.workflow), now, read_file)
    considered = [read for read in built.reads if read.considered]
    if considered:
        with app.write() as tx:
            for read in considered:
                detail = {**read.noted(), "by": "command line"}
                note(tx, Note(thread.tenant_id, now, "context", "memory_read", thread.id, detail))
    return built


def _then(app: App, thread: Thread, step: str) -> Shown:
    now = None
    with suppress(DaybookError):  # what was sent is shown even where nothing could be sent now
        now = _now(app, thread).admitted
    with app.read() as conn:
        return as_sent(conn, app.vault.keys(thread.tenant_id, thread.id), thread, step, now)


def _shape(shown: Shown) -> dict[str, Json]:
    return {
        "thread": shown.thread_id,
        "step": shown.step,
        "checkpoint": shown.checkpoint,
        "budget_tokens": shown.budget_tokens,
        "tokens": sum(one.tokens for one in shown.items),
        "items": [
            {
                "slot": one.slot,
                "source": one.source,
                "id": one.id,
                "version": one.version,
                "tokens": one.tokens,
                "value": one.value,
                "stands": one.stands,
            }
            for one in shown.items
        ],
        "filtered": [dict(one) for one in shown.filtered],
    }
