"""What calls were expected to cost against what they did: whether the estimates learn."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.views.forecasts import Accuracy, Forecast, accuracy, list_forecasts
from pages.parts.cost_charts import MARK, Behind, chart
from pages.parts.cost_spent import NOTHING
from pages.parts.identity import Here
from pages.parts.money import dollars, money
from pages.parts.plan import heading
from pages.parts.untrusted import draw, foreign, tag

_SOURCES = {"bytes": "from bytes alone", "calls": "from the step's own calls", "counted": "counted by the provider"}


def page(here: Here, role_id: str | None) -> None:
    """Draw the newest calls, expected against recorded, and how each step's estimates did."""
    with here.app.read() as conn:
        found = list_forecasts(conn, here.tenant_id, role_id)
    draw(heading("Expected and recorded", f"the newest {len(found)} calls of which both are known"))
    if not found:
        draw(tag("p", NOTHING, cls="empty"))
        return
    _chart(found, accuracy(found))


def _chart(found: Sequence[Forecast], did: Sequence[Accuracy]) -> None:
    figure = go.Figure()
    for number, (source, word) in enumerate(_SOURCES.items()):
        some = [one for one in found if one.source == source]
        if some:
            figure.add_scatter(
                x=[one.expected / 1e12 for one in some], y=[one.recorded / 1e12 for one in some], mode="markers",
                name=word, marker_symbol=("circle", "diamond", "x")[number],
            )  # fmt: skip
    most = max(max(one.expected, one.recorded) for one in found) / 1e12
    figure.add_scatter(x=[0, most], y=[0, most], mode="lines", name="as expected", line={"dash": "dot", "color": MARK})
    figure.update_xaxes(tickprefix="$", title="expected")
    figure.update_yaxes(tickprefix="$", title="recorded")
    said = "; ".join(f"{one.step} {_SOURCES[one.source]} cost {one.ratio:.2f} of what was expected" for one in did[:4])
    rows = [
        (foreign(one.step), _SOURCES[one.source], str(one.calls), f"{one.ratio:.2f}", f"{one.in_band:.0%}")
        for one in did
    ]
    heads = ("Step", "Estimated", "Calls", "Recorded ÷ expected, in the middle", "Input within its band")
    chart(figure, "forecast", f"Expected against recorded cost: {said}.", Behind(heads, rows, "How estimates did"))
    newest = found[0]
    draw(
        tag(
            "p", "The newest call was expected to cost ", money(newest.expected), " and cost ", money(newest.recorded),
            f" ({dollars(newest.recorded - newest.expected)} more)." if newest.recorded > newest.expected else ".",
            cls="none",
        )
    )  # fmt: skip
