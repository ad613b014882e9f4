"""Write a tenant with its owner, and a new home's first one."""

from __future__ import annotations

from datetime import datetime

from core.audit.note import Note, note
from core.bootstrap.app import App
from core.clock import real_now
from core.db.locks import file_lock
from core.db.store import Tx
from core.keys import random_id
from core.people.people import Member, add_person
from core.people.tenants import add_tenant, list_tenants

HOME_TENANT = "home"
OWNER_EMAIL = "owner@example.com"


def open_tenant(tx: Tx, tenant_id: str, name: str, now: datetime, *, starts_at: datetime | None = None) -> Member:
    """Write a tenant with its owner; with `starts_at` it lives on a fixture clock."""
    add_tenant(tx, tenant_id, name, now, starts_at=starts_at)
    owner = Member(tenant_id, random_id("person"), OWNER_EMAIL, "Owner", "owner", active=True)
    add_person(tx, owner, now)
    note(tx, Note(tenant_id, now, owner.id, "tenant_opened", None))
    return owner


def settle_in(app: App) -> None:
    """Write the first tenant and its owner, once."""
    with app.read() as conn:
        if list_tenants(conn):
            return
    with file_lock(app.locks / "home.lock"), app.write() as tx:
        if not list_tenants(tx.conn):
            open_tenant(tx, HOME_TENANT, "Home", real_now())
