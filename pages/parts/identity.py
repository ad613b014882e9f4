"""Who is here. `require` is the first line of every page; `current_actor` is the seam where sign-in comes in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from core.bootstrap import HOME_TENANT, App
from core.desk.desk import Actor
from core.people.people import Access, Member
from core.people.tenants import TenantRow
from core.views.frame import Frame, read_frame
from core.web import current_app

_RANK: dict[Access, int] = {"viewer": 0, "reviewer": 1, "owner": 2}


@dataclass(frozen=True, slots=True)
class Here:
    """One page run: the opened home, who acts in it, and what stands around the page."""

    app: App
    actor: Actor
    frame: Frame

    @property
    def tenant_id(self) -> str:
        """The tenant acted in."""
        return self.actor.tenant_id

    @property
    def now(self) -> datetime:
        """The tenant's business time of this page run."""
        return self.actor.now

    @property
    def zone(self) -> ZoneInfo:
        """The zone that times are shown in."""
        return self.app.zone


def require(access: Access) -> Here:
    """Answer who is here, or stop the page: nothing below the guard runs for anybody else."""
    app = current_app()
    with app.read() as conn:
        frame = read_frame(conn, HOME_TENANT)
    actor = current_actor(frame.tenant, frame.tenant.now(app.settings.frozen_now))
    if actor is None or not actor.member.active or _RANK[actor.member.access] < _RANK[access]:
        st.error("You may not see this page. Ask an owner for access.")
        st.stop()
    return Here(app, actor, frame)


def current_actor(tenant: TenantRow, now: datetime) -> Actor | None:
    """Answer who acts: until there is sign-in, a viewer of the tenant, who can look and change nothing."""
    viewer = Member(tenant.id, "viewer", "viewer@example.com", "Viewer", "viewer", active=True)
    return Actor(tenant, viewer, now, "page")
