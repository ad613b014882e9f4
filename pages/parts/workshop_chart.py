"""The cost of both designs against the number of applicants, with the window's limit marked."""

from __future__ import annotations

import streamlit as st

from core.costs.course import CourseInputs, course

_GREEN, _AMBER, _GREY = "#1f8a80", "#c77a2a", "#7d8a8a"
_STEP = 5


def chart(inputs: CourseInputs, fewest: int, most: int) -> None:
    """Draw dollars against applicants: the conversation ends where its window is full."""
    # It takes a second to load, which no other page pays for.
    import plotly.graph_objects as go  # noqa: PLC0415

    fits = course(inputs).fits
    counts = [*range(fewest, most + 1, _STEP)]
    until = [one for one in counts if one <= fits] + [fits]
    figure = go.Figure()
    spent = [course(inputs.at(one)).conversation / 1e12 for one in until]
    threads = [course(inputs.at(one)).threads / 1e12 for one in counts]
    figure.add_scatter(x=until, y=spent, name="One conversation", mode="lines", line={"color": _AMBER, "width": 3})
    figure.add_scatter(x=counts, y=threads, name="One thread each", mode="lines", line={"color": _GREEN, "width": 3})
    figure.add_vline(x=fits, line={"color": _GREY, "dash": "dot"})
    figure.add_vline(x=inputs.applicants, line={"color": _GREY})
    figure.update_layout(
        height=300, margin={"l": 0, "r": 0, "t": 10, "b": 0}, xaxis_title="applicants", yaxis_title="dollars of input",
        legend={"orientation": "h", "y": 1.12},
    )  # fmt: skip
    st.plotly_chart(
        figure, key="workshop.window.chart", config={"displayModeBar": False},
        alt="Dollars against applicants: the conversation climbs and ends where its window is full; threads stay low",
    )  # fmt: skip
