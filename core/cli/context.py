"""What a model is sent, field by field: as it was at a step, or as it would be now."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.edge import actor_of, columns, opened, say
from core.cli.options import AsJson, Tenant
from core.context.show import Shown
from core.desk.desk import Doors
from core.desk.packets import look_at_packet
from core.steps import Json


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
        actor = actor_of(app, tenant, None)
        shown = look_at_packet(Doors(app.read, app.write), app.desk, actor, thread_id, step)
        shaped = _shape(shown)
        rows = [
            (one["slot"], one["source"], one["id"], f"v{one['version']}", f"{one['tokens']} tokens", one["value"])
            for one in shaped["items"]
        ]
        left = shaped["filtered"]
        rows += [("left out", one["source"], one["id"], one["reason"], one.get("part", ""), "") for one in left]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "Nothing would be sent."))


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
