"""What models cost."""

from __future__ import annotations

from typing import Annotated

import typer

from core.catalog.roles import get_role
from core.cli.edge import columns, opened, say, tenant_of
from core.cli.options import AsJson, Tenant
from core.costs.money import usd
from core.steps import Json
from core.views.costs import Costs, ModelCosts, read_costs


def costs(
    context: typer.Context,
    role: Annotated[str | None, typer.Option("--role", metavar="ID", help="Only this role's.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """What models cost: recorded, estimated and unpriced, which are never added together."""
    if context.invoked_subcommand is not None:
        return
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            if role is not None:
                get_role(conn, tenant_id, role)
            found = read_costs(conn, tenant_id, role)
        say(_shaped(found), as_json=as_json, text=lambda: _read_out(found))


def _shaped(found: Costs) -> dict[str, Json]:
    return {
        "recorded_usd": usd(found.total("recorded")),
        "estimated_usd": usd(found.total("estimated")),
        "unpriced_calls": found.total("unpriced_calls"),
        "calls": found.total("calls"),
        "unknown_calls": found.total("unknown_calls"),
        "unbilled_calls": found.total("unbilled_calls"),
        "models": [_model(one) for one in found.models],
    }


def _model(one: ModelCosts) -> dict[str, Json]:
    return {
        "model": one.model,
        "calls": one.calls,
        "recorded_usd": usd(one.recorded),
        "estimated_usd": usd(one.estimated),
        "unpriced_calls": one.unpriced_calls,
        "unpriced_tokens": one.unpriced_tokens,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
    }


def _read_out(found: Costs) -> str:
    if not found.models:
        return "No model call has left this machine; the practice model costs nothing."
    head = ("model", "calls", "tokens in", "tokens out", "recorded")
    rows = [
        (one.model, one.calls, one.input_tokens, one.output_tokens, f"${usd(one.recorded)}") for one in found.models
    ]
    lines = [columns([head, *rows], ""), "", f"Recorded: ${usd(found.total('recorded'))}{_left_out(found)}."]
    unknown, unbilled = found.total("unknown_calls"), found.total("unbilled_calls")
    if unknown:
        estimated = usd(found.total("estimated"))
        lines.append(f"Estimated: at most about ${estimated} more for {_calls(unknown)} of unknown usage.")
    lines += [
        f"Unpriced: {_calls(one.unpriced_calls)} to {one.model}, {one.unpriced_tokens / 1e6:,.3f} M tokens."
        for one in found.models
        if one.unpriced_calls
    ]
    if unbilled:
        lines.append(f"Not billed: {_calls(unbilled)} that came back as errors.")
    return "\n".join(lines)


def _left_out(found: Costs) -> str:
    count = found.total("unpriced_calls")
    return f", without {_calls(count)} that nobody can price" if count else ""


def _calls(count: int) -> str:
    return f"{count} call" if count == 1 else f"{count} calls"
