"""Launcher and script in one: imported by the server it builds the app, run once a page run it draws.

The pages folder is switched off in Streamlit's own discovery: a file in it must never run without the shell.
"""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

PagesManager.uses_pages_directory = False
if get_script_run_ctx(suppress_warning=True) is None:
    from core.errors import HomeUnusable, SettingsWrong
    from core.settings import load_settings
    from core.web import check_address, current_app, lifespan, middleware, routes, somebody_can_sign_in
    from pages.parts import early  # noqa: F401 - loaded for what it loads
    from pages.parts.failures import report

    try:
        check_address(st.get_option("server.address"), load_settings().base_url, somebody_can_sign_in)
        current_app()
    except (HomeUnusable, SettingsWrong) as wrong:
        raise SystemExit(wrong.sentence) from None
    app = st.App(__file__, lifespan=lifespan, routes=routes, middleware=middleware, on_script_error=report)
else:
    from pages.parts.shell import main

    main()
