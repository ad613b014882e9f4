"""Names that are spelt nearly so, offered: each is a button that looks for exactly this name."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.views.near_names import Offers
from pages.parts.untrusted import draw, inline, tag


def near_names(near: Offers, rule: str, key: str, press: Callable[[str], None]) -> None:
    """Draw the names with the `rule` by which none was found, and how far was looked; pressing one is `press`."""
    if not near.names:
        draw(tag("p", f"No name is spelt nearly so, of {near.looked}.", cls="none"))
        return
    draw(tag("p", f"{rule} Spelt nearly so, of {near.looked}:", cls="none"))
    with st.container(horizontal=True):
        for place, name in enumerate(near.names):
            st.button(inline(name), key=f"{key}.{place}", on_click=press, args=(name,))
