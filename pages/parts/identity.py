"""Who is here. `require` is the first line of every page; `presented_token` is the seam where a test signs in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from typing import NoReturn
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

import streamlit as st

from core.bootstrap import App
from core.clock import real_now
from core.db.store import Tx
from core.desk.desk import Actor
from core.errors import NotAllowed
from core.people.people import Access, Member
from core.people.sessions import find_session, touch_session
from core.views.frame import Frame, Visit, read_visit
from core.web import COOKIE, current_app, sign_in_address
from pages.parts.untrusted import draw, tag

_RANK: dict[Access, int] = {"viewer": 0, "reviewer": 1, "owner": 2}
PRESSED = "pressed"
_UNASKED = "identity.unasked"
GONE = "You are no longer signed in here, so nothing was changed; sign in again."
MOVED = "What you may do here was changed a moment ago, so nothing else was; load the page again."


@dataclass(frozen=True)
class PageApp(App):
    """The home as one page run may use it: whatever a page writes, it writes for somebody who is still signed in.

    What a click does runs before the page asks who is there, and with the actor that the page was drawn for.
    """

    member: Member
    token: str

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open one write transaction; raises NotAllowed where the session has ended or the access has changed."""
        with super().write() as tx:
            found = find_session(tx.conn, self.token, real_now())
            if found is None:
                raise NotAllowed(GONE)
            if found[0] != self.member:
                raise NotAllowed(MOVED)
            yield tx


@dataclass(frozen=True, slots=True)
class Here:
    """One page run: the opened home, who acts in it, and what stands around the page."""

    app: PageApp
    actor: Actor
    frame: Frame

    @property
    def tenant_id(self) -> str:
        """The tenant acted in: the session's."""
        return self.actor.tenant_id

    @property
    def now(self) -> datetime:
        """The tenant's business time of this page run."""
        return self.actor.now

    @property
    def zone(self) -> ZoneInfo:
        """The zone that times are shown in."""
        return self.app.zone

    def may(self, access: Access) -> bool:
        """Say whether who is here may do what this access is for: a viewer looks, a reviewer also decides."""
        return _RANK[self.actor.member.access] >= _RANK[access]


def require(access: Access) -> Here:
    """Answer who is here, or stop the page: nothing below the guard runs for anybody else."""
    _carry_out()
    app = current_app()
    token = presented_token()
    visit = None if token is None else current_visit(app, token)
    if token is None or visit is None:
        _lead_to_sign_in()
    tenant = visit.frame.tenant
    actor = Actor(tenant, visit.member, tenant.now(app.settings.frozen_now), "page")
    opened = {field.name: getattr(app, field.name) for field in fields(App)}
    here = Here(PageApp(**opened, member=visit.member, token=token), actor, visit.frame)
    if not here.may(access):
        st.error("You may not see this page. Ask an owner for access.")
        st.stop()
    return here


def _carry_out() -> None:
    """Do what was pressed (pages.parts.pressing) before the page reads anything; it asks itself who is here."""
    pressed = st.session_state.pop(PRESSED, None)
    if pressed is not None:
        do, given = pressed
        do(*given)


def presented_token() -> str | None:
    """Answer the token in the cookie that this visitor's connection was opened with."""
    return st.context.cookies.get(COOKIE)


def current_visit(app: App, token: str) -> Visit | None:
    """Answer who is signed in, read anew on every run; a run that a person caused keeps the session awake."""
    unasked = st.session_state.pop(_UNASKED, False)
    now = real_now()
    with app.read() as conn:
        visit = read_visit(conn, token, now)
    if visit is not None and visit.is_due and not unasked:
        with app.write() as tx:
            touch_session(tx, token, now)
    return visit


def run_again() -> NoReturn:
    """Run the page again because its rows moved, not because a person did anything."""
    st.session_state[_UNASKED] = True
    st.rerun()


def _lead_to_sign_in() -> NoReturn:
    """Show where to sign in, and nothing else. Who comes by an address is led there before this page runs."""
    path = urlsplit(st.context.url or "/").path or "/"
    asked = urlencode(st.query_params.to_dict(), safe="/")
    to = sign_in_address(f"{path}?{asked}" if asked else path)
    draw(
        tag(
            "div",
            tag("h1", "You are signed out"),
            tag("p", "This page shows nothing more until you sign in again."),
            tag("p", tag("a", "Sign in", href=to, cls="go")),
            cls="signed-out",
        )
    )
    st.stop()
