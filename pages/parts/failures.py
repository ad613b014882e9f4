"""What a page says when it breaks: a reference that also stands in the log, and nothing of what it was showing."""

from __future__ import annotations

import traceback

import streamlit as st
import structlog

from core.errors import HomeUnusable
from core.keys import random_id

log = structlog.get_logger()


def report(error: Exception) -> bool:
    """Log where a page broke, without its message (a line of a CV could stand in it), and show the reference."""
    reference = random_id("e")
    frames = [
        f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
    ]
    log.error("page broke", reference=reference, error=type(error).__name__, frames=frames[-6:])
    if isinstance(error, HomeUnusable):  # its sentence names files and databases, and nobody
        st.error(error.sentence)
        return True
    st.error("This page could not be drawn. Nothing was changed; load it again. The log tells more under:")
    st.code(reference, language=None)
    return True
