"""The shell around every page: navigation, titles, the style sheet."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

HERE = Path(__file__).parent
STYLE = HERE / "style.css"
SCRIPT = HERE / "sitting.html"
ICON = str(HERE.parents[1] / "data" / "icon.svg")
TODAY = "pages/today.py"
APPLICATIONS = "pages/applications.py"
APPLICATION = "pages/application.py"
REVIEW = "pages/review.py"
RUNS = "pages/runs.py"
RUN = "pages/run.py"
MEMORY = "pages/memory.py"
COSTS = "pages/costs.py"
SETTINGS = "pages/settings.py"
WORKSHOP = "pages/workshop.py"


def main() -> None:
    """Draw the shell, then the page that the address names."""
    st.set_page_config(page_icon=ICON, layout="wide")  # before navigation: else the icon comes from another server
    st.html(STYLE)
    st.html(SCRIPT, unsafe_allow_javascript=True)  # the policy lets our own files run and nothing inline
    st.logo(ICON, size="medium")
    page = st.navigation(_pages(), position="top")
    st.set_page_config(page_title=f"{page.title} · Daybook")
    page.run()


def _pages() -> list[StreamlitPage]:
    """List the pages; the logo leads to the default one."""
    return [
        st.Page(TODAY, title="Today", icon=":material/today:", default=True),
        st.Page(REVIEW, title="Review", icon=":material/inbox:", url_path="review"),
        st.Page(RUNS, title="Runs", icon=":material/checklist:", url_path="runs"),
        st.Page(APPLICATIONS, title="Applications", icon=":material/folder_shared:", url_path="applications"),
        st.Page(MEMORY, title="Memory", icon=":material/database:", url_path="memory"),
        st.Page(COSTS, title="Costs", icon=":material/payments:", url_path="costs"),
        st.Page(WORKSHOP, title="Workshop", icon=":material/school:", url_path="workshop"),
        st.Page(SETTINGS, title="Settings", icon=":material/tune:", url_path="settings"),
        st.Page(RUN, title="Run", icon=":material/checklist:", url_path="run", visibility="hidden"),
        st.Page(
            APPLICATION, title="Application", icon=":material/folder_shared:", url_path="application",
            visibility="hidden",
        ),
    ]  # fmt: skip
