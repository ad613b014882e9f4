"""The one place that knows every implementation.

wiring.py   opens a home: its rooms with their adapters
app.py      the opened home, as every door holds it
tenants.py  a tenant with its owner
moving.py   a home's rows into another database
"""

from core.bootstrap.app import App
from core.bootstrap.moving import move_rows
from core.bootstrap.tenants import HOME_TENANT, OWNER_EMAIL, open_tenant
from core.bootstrap.wiring import WORKFLOWS, open_app

__all__ = ["HOME_TENANT", "OWNER_EMAIL", "WORKFLOWS", "App", "move_rows", "open_app", "open_tenant"]
