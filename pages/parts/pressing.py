"""A button beside what is typed: it hands over what stands there now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.parts.identity import PRESSED, run_again


def press(label: str, do: Callable[..., object], *given: object, key: str, **looks: Any) -> None:
    """Draw a button that does something with what this run read from the fields above it, before the next run draws.

    A callback (`on_click`) would be handed what the last whole run read: who types and presses at once, or whose page
    is slow, would act with what stood there before. So this run notes what to do, and the next one begins with it.
    """
    if st.button(label, key=key, **looks):
        st.session_state[PRESSED] = (do, given)
        run_again()
