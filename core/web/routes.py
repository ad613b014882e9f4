"""Plain routes beside the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from core.bootstrap import App
from core.desk.tokens import name_thread
from core.errors import Refused
from core.people.tenants import list_tenants
from core.views.health import find_overdue, list_workers
from core.web.life import current_app
from core.web.signed_in import COOKIE, find_visitor, sign_in_address

log = structlog.get_logger()

SITTING = Path(__file__).with_name("sitting.js")


def healthz(_request: Request) -> Response:
    """Answer 200 while the database answers: each worker's silence and the age of the oldest due thread, in seconds."""
    try:
        return JSONResponse({"ok": True, **_health(current_app())})
    except (SQLAlchemyError, OSError) as error:
        log.warning("health check without a database", error=type(error).__name__)
        return JSONResponse({"ok": False, "reason": "The database does not answer."}, 503)


def _health(app: App) -> dict[str, Any]:
    with app.read() as conn:
        workers = list_workers(conn)
        ages = []
        for tenant in list_tenants(conn):
            now = tenant.now(app.settings.frozen_now)
            oldest = find_overdue(conn, tenant.id, now).oldest_at
            if oldest is not None:
                ages.append((now - oldest).total_seconds())
    heard = [{"id": one.id, "kind": one.kind, "silent_s": round(one.silent_for, 1)} for one in workers]
    return {"workers": heard, "oldest_due_s": round(max(ages), 1) if ages else None}


def run_link(request: Request) -> Response:
    """Lead a permalink to the run's page."""
    thread_id = request.path_params["id"]
    if thread_id.startswith(("_stcore/", "static/")):
        return PlainTextResponse("Not found", 404)  # the browser looking for the server under /runs/
    return RedirectResponse(f"/run?id={quote(thread_id)}", 307)


def resume_link(request: Request) -> Response:
    """Lead whoever presents a resume token, signed in and authorised again, to the run's page; changes nothing."""
    visitor = find_visitor(request.cookies.get(COOKIE))
    if visitor is None:
        return RedirectResponse(sign_in_address(request.url.path), 303)
    app, token = current_app(), request.path_params["token"]
    actor = app.actor(visitor.tenant_id, visitor.email, "page")
    try:
        thread = app.act(actor, "resume", lambda tx: name_thread(tx, app.desk, actor, token))
    except Refused as refused:
        return PlainTextResponse(refused.sentence, _STATUS.get(refused.code, 400))
    return RedirectResponse(f"/run?id={quote(thread.id)}", 303)


def sitting(_request: Request) -> Response:
    """Answer the script that holds back presses made before a question could be read."""
    return FileResponse(SITTING, media_type="text/javascript")


_STATUS = {"not_allowed": 403, "not_found": 404, "stale_version": 409}

routes = [
    Route("/healthz", healthz),
    Route("/sitting.js", sitting),
    Route("/runs/{id:path}", run_link),
    Route("/resume/{token}", resume_link),
]
