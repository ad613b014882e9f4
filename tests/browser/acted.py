"""Starts the app as `streamlit run` does, with everybody signed in as whom their cookie names."""

from __future__ import annotations

import sys

from streamlit.web.cli import main

from tests.acting import let_in

if __name__ == "__main__":
    let_in()
    sys.argv = ["streamlit", "run", "app.py", *sys.argv[1:]]
    main()
