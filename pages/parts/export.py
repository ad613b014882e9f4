"""A role as a table: made when it is asked for, handed to the browser, and never a file of the home."""

from __future__ import annotations

import streamlit as st

from core.views.export import export_role
from pages.parts.identity import Here


def export(here: Here, role_id: str) -> None:
    """Draw the button."""

    def made() -> bytes:
        with here.app.read() as conn:
            return export_role(conn, here.app.vault, here.tenant_id, role_id)

    file = f"{role_id}.csv"
    st.download_button(
        "Export as CSV", made, file, "text/csv", key="export", on_click="ignore",
        icon=":material/download:", type="tertiary",
    )  # fmt: skip
