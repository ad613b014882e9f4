"""Pages acted in by somebody of the home: for tests that press buttons.

In a browser the cookie `acts` names who it is, so that two tabs may be two people; else it is the first owner.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.bootstrap import HOME_TENANT, OWNER_EMAIL
from core.desk.desk import Actor
from core.people.people import Access, get_person
from core.views.frame import read_frame
from core.web import current_app
from pages.parts import identity
from pages.parts.identity import Here


def acting(email: str | None = None, tenant_id: str = HOME_TENANT) -> Callable[[Access], Here]:
    """Answer a guard that lets this person in."""

    def require(_access: Access) -> Here:
        app = current_app()
        cookie = st.context.cookies.get("acts")
        who = email or (cookie if isinstance(cookie, str) else OWNER_EMAIL)
        with app.read() as conn:
            frame = read_frame(conn, tenant_id)
            member = get_person(conn, tenant_id, who)
        return Here(app, Actor(frame.tenant, member, frame.tenant.now(app.settings.frozen_now), "page"), frame)

    return require


def let_in() -> None:
    """Let everybody in as whom their cookie names."""
    identity.require = acting()
