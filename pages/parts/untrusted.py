"""The one module that shows text which came from outside: names, summaries, quotes, file names.

Streamlit reads most of what it is given as Markdown. Here text stays text: whatever goes into `tag` is escaped, and
only what `tag` made is drawn. No other module calls `st.html` with anything but a file.
"""

from __future__ import annotations

import html
import re

import streamlit as st

# Control characters and overrides of direction: a name must not rearrange the line it stands in.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

_MADE_AFTERWARDS = re.compile(r"(?<=:)(?!\d\d\b|\s)|(?<=@)|(?<=[-=<])(?=[-=>])|(?<=www)", re.IGNORECASE)


class Html(str):
    """Markup that `tag` made; everything else is text."""

    __slots__ = ()


def tag(name: str, *inside: str | Html | None, **attributes: str | None) -> Html:
    """Build one element: text inside and attributes are escaped. `cls` is class; `aria_label` is aria-label."""
    shown = "".join(
        f' {_attribute(key)}="{html.escape(_seen(value))}"' for key, value in attributes.items() if value is not None
    )
    return Html(f"<{name}{shown}>{join(*inside)}</{name}>")


def join(*parts: str | Html | None) -> Html:
    """Put pieces one after another; text among them is escaped."""
    return Html("".join(part if isinstance(part, Html) else html.escape(_seen(part)) for part in parts if part))


def foreign(text: str) -> Html:
    """Show text from outside within a line, so that its direction stays its own."""
    return tag("bdi", text)


def inline(text: str) -> str:
    """Write text so that Streamlit's Markdown shows it as it is, for a button's label or a toast.

    A backslash stops emphasis, code, mathematics and directives. What is made of plain text afterwards (bare addresses,
    `:icons:`, arrows) is stopped by a joiner, which has no width; the colon of a time needs none.
    """
    joined = _MADE_AFTERWARDS.sub("\u2060", " ".join(_seen(text).split()))
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", joined)


def toast(text: str) -> None:
    """Say one sentence for a few seconds."""
    st.toast(inline(text), duration="long")


def draw(markup: Html) -> None:
    """Draw what `tag` built."""
    st.html(str(markup))


def _attribute(key: str) -> str:
    return "class" if key == "cls" else key.replace("_", "-")


def _seen(text: str) -> str:
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
