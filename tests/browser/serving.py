"""What a forked server does: all that `streamlit run app.py` does, but for loading the modules, which are there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence

import streamlit.web.bootstrap
import streamlit.web.cli
import uvicorn

import core.bootstrap
import core.web
from pages.parts import early

LOADED = (core.bootstrap, core.web, early, streamlit.web.bootstrap, uvicorn)


def serve(environment: Mapping[str, str], options: Sequence[str]) -> None:
    """Serve the app until a signal ends it."""
    os.environ.clear()
    os.environ |= environment
    sys.argv = ["streamlit", "run", "app.py", *options]
    os.setsid()
    try:
        streamlit.web.cli.main(prog_name="streamlit", args=sys.argv[1:])
    except SystemExit as ended:
        if ended.code:
            raise


ACTS: dict[str, Callable[..., None]] = {"serve": serve}
