"""Charts of the Costs page. Each says in words what it shows, and has the table behind it in a fold.

Colours are the theme's. Lines that mark something have a grey of their own that reads on light and on dark, and a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from pages.parts.untrusted import Html, draw, tag

MARK = "#808b8b"
_HEIGHT = 320
Cell = str | Html | None


@dataclass(frozen=True, slots=True)
class Behind:
    """The table behind a chart: its heads and its rows."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str


def plain(text: str) -> str:
    """Answer a label without what a chart would read as markup."""
    return text.replace("<", "‹").replace(">", "›").replace("&", "+")


def chart(figure: go.Figure, key: str, alt: str, behind: Behind, *, height: int = _HEIGHT) -> None:
    """Draw a chart with what it says in words, and its table folded below."""
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 28, "b": 8},
        legend={"orientation": "h", "y": 1.14, "x": 0},
        hovermode="closest",
        bargap=0.35,
    )
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    st.plotly_chart(figure, key=f"costs.{key}", alt=alt, config={"displayModeBar": False})
    with st.expander("The table behind it", key=f"costs.fold.{key}"):
        draw(table(behind))


def mark_at(figure: go.Figure, place: float, word: str) -> None:
    """Mark a place on the x axis."""
    figure.add_vline(x=place, line_dash="dot", line_color=MARK, annotation_text=plain(word), annotation_font_color=MARK)


def mark_level(figure: go.Figure, level: float, word: str) -> None:
    """Mark a level on the y axis."""
    figure.add_hline(y=level, line_dash="dot", line_color=MARK, annotation_text=plain(word), annotation_font_color=MARK)


def table(behind: Behind) -> Html:
    """Show rows with their heads; what does not fit scrolls within."""
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in behind.rows]
    return tag(
        "div",
        tag(
            "table",
            tag("caption", behind.caption, cls="unseen"),
            tag("thead", tag("tr", *(tag("th", head, scope="col") for head in behind.heads))),
            tag("tbody", *body),
            cls="grid",
        ),
        cls="scrolls",
        tabindex="0",
        role="region",
        aria_label=behind.caption,
    )
