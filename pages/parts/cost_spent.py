"""What was spent: by run with those that stand out, by step and kind of token, over time; and what was wasted, why."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import plotly.graph_objects as go
import streamlit as st

from core.costs.budgets import TENANT, find_budget
from core.views.spending import (
    Burnt,
    PerThread,
    StepTokens,
    ThreadCost,
    Wasted,
    burnt,
    cost_by_thread,
    tokens_by_step,
    waste,
)
from pages.parts import wording
from pages.parts.cost_charts import Behind, chart, mark_level, plain
from pages.parts.identity import Here
from pages.parts.money import dollars, money, tokens
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag

NOTHING = "No model call has left this machine; the practice model costs nothing."
_SHOWN = 60
_CAUSES = {
    "retried": "no answer, or one that could not be read",
    "truncated": "cut off at its limit",
    "refused": "the model declined",
    "re-scored": "the step ran again later, under another rubric for one",
    "asked twice": "did not fit, or what it rested on moved",
}
_KINDS = ("fresh", "cache write", "cache read", "output", "thinking")


def page(here: Here, role_id: str | None) -> None:
    """Draw all of it."""
    with here.app.read() as conn:
        steps = tokens_by_step(conn, here.tenant_id, role_id)
        each = cost_by_thread(conn, here.tenant_id, role_id)
        lost = waste(conn, here.tenant_id, role_id)
        over_time = burnt(conn, here.tenant_id, role_id)
        budget = find_budget(conn, here.tenant_id, role_id or TENANT)
    if not steps and not lost:
        draw(tag("p", NOTHING, cls="empty"))
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _over_time(over_time, None if budget is None else budget.limit)
        _by_step(steps)
    with right:
        _by_thread(each)
        _wasted(lost)


def _usd(picodollars: int) -> float:
    return picodollars / 1e12


def _over_time(points: Sequence[Burnt], limit: int | None) -> None:
    draw(heading("Burn-up", "recorded, added up"))
    if not points:
        draw(tag("p", "No call has a recorded amount.", cls="none"))
        return
    figure = go.Figure()
    until = [_usd(one.until) for one in points]
    figure.add_scatter(x=[one.at for one in points], y=until, mode="lines+markers", name="Recorded", line_shape="hv")
    figure.update_yaxes(tickprefix="$", rangemode="tozero")
    if limit is not None:
        mark_level(figure, _usd(limit), f"budget {dollars(limit)}")
    against = "" if limit is None else f" against a budget of {dollars(limit)}"
    alt = f"Recorded cost added up over time: {dollars(points[-1].until)} by {points[-1].at}{against}."
    rows = [(one.at, money(one.recorded), money(one.until)) for one in reversed(points)]
    chart(
        figure, "burn", alt, Behind(("Until the end of (UTC)", "Recorded", "Added up"), rows, "Recorded cost over time")
    )


def _by_thread(each: PerThread) -> None:
    stand_out = each.outliers
    draw(heading("Each run", f"{wording.plural(len(each.costs), 'run', 'runs')}, {dollars(each.middle)} in the middle"))
    if not each.costs:
        draw(tag("p", "No run has a recorded amount.", cls="none"))
        return
    shown = each.costs[:_SHOWN]
    figure = go.Figure()
    for name, some in (("stands out", stand_out), ("the others", [one for one in shown if one not in stand_out])):
        if some:
            figure.add_bar(
                x=[plain(one.thread_id) for one in some], y=[_usd(one.recorded) for one in some], name=name,
                marker_pattern_shape="/" if name == "stands out" else "",
            )  # fmt: skip
    figure.update_yaxes(tickprefix="$")
    figure.update_xaxes(
        showticklabels=False, title=f"the {len(shown)} dearest runs" if len(each.costs) > _SHOWN else "runs"
    )
    alt = (
        f"Recorded cost of each run, the dearest first: {dollars(each.middle)} in the middle, "
        f"{dollars(each.costs[0].recorded)} at most, {len(stand_out)} stand out above {dollars(each.fence)}."
    )
    rows = [(_run(one), str(one.calls), money(one.recorded)) for one in shown]
    chart(figure, "each", alt, Behind(("Run", "Calls", "Recorded"), rows, "Recorded cost of each run"))
    if stand_out:
        links = [tag("li", _run(one), " ", money(one.recorded)) for one in stand_out[:8]]
        draw(tag("p", f"Stand out, above {dollars(each.fence)}:", cls="none"))
        draw(tag("ul", *links, cls="legend", aria_label="Runs that stand out"))


def _run(one: ThreadCost) -> Html:
    return tag("a", foreign(one.thread_id), href=f"/run?id={quote(one.thread_id)}", target="_self")


def _by_step(steps: Sequence[StepTokens]) -> None:
    draw(heading("Each step", "tokens by kind"))
    if not steps:
        draw(tag("p", "No call came back with counts.", cls="none"))
        return
    figure = go.Figure()
    for kind in _KINDS:
        counts = [getattr(one, kind.replace(" ", "_")) for one in steps]
        figure.add_bar(y=[plain(one.step) for one in steps], x=counts, name=kind, orientation="h")
    figure.update_layout(barmode="stack")
    said = [f"{one.step} read {tokens(one.fresh + one.cache_write + one.cache_read)}" for one in steps[:4]]
    alt = f"Tokens of each step by kind: {'; '.join(said)} tokens."
    rows = [
        (
            foreign(one.step), str(one.calls), f"{one.fresh:,}", f"{one.cache_write:,}", f"{one.cache_read:,}",
            f"{one.output:,}", f"{one.thinking:,}", "–" if one.hit_share is None else f"{one.hit_share:.0%}",
            money(one.recorded),
        )
        for one in steps
    ]  # fmt: skip
    heads = ("Step", "Calls", "Fresh", "Cache write", "Cache read", "Output", "Thinking", "Cache hits", "Recorded")
    chart(figure, "steps", alt, Behind(heads, rows, "Tokens of each step"), height=120 + 70 * min(len(steps), 6))


def _wasted(lost: Sequence[Wasted]) -> None:
    draw(heading("Wasted", "recorded amounts of calls that led nowhere"))
    if not lost:
        draw(tag("p", "Every call led somewhere.", cls="none"))
        return
    figure = go.Figure()
    figure.add_bar(
        y=[one.cause for one in lost], x=[_usd(one.recorded) for one in lost], orientation="h", name="Wasted",
        text=[wording.plural(one.calls, "call", "calls") for one in lost],
    )  # fmt: skip
    figure.update_xaxes(tickprefix="$", rangemode="tozero")
    said = "; ".join(
        f"{one.cause} {dollars(one.recorded)} in {wording.plural(one.calls, 'call', 'calls')}" for one in lost
    )
    rows = [
        (one.cause, _CAUSES[one.cause], str(one.calls), money(one.recorded), str(one.unknown_calls)) for one in lost
    ]
    heads = ("Cause", "What it is", "Calls", "Recorded", "Of unknown usage")
    chart(
        figure, "waste", f"Waste by cause: {said}.", Behind(heads, rows, "Waste by cause"), height=120 + 50 * len(lost)
    )
