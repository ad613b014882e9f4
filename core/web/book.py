"""The page on which an applicant answers the letter they hold: `/book/{token}`. No sign-in, no script, no cookie.

Looking changes nothing, however often a mail scanner does it; only the page's own form, posted, answers.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from core.bootstrap import App
from core.clock import real_now, say_span
from core.db.store import Tx
from core.desk.booking import Reply, answer_invitation, note_refused_answer
from core.people.accounts import read_tries
from core.people.tenants import TenantRow, list_tenants
from core.threads.links import find_link, is_token
from core.views.invitation import Invitation, read_invitation
from core.web.book_page import GONE, HEADERS, calm_page, invitation_page, late_page, standing_page
from core.web.life import current_app
from core.web.signin import Form, read_form

TAKEN = "That time is no longer free; choose another one."
NONE_CHOSEN = "Choose one of these times first."
OLD_FORM = "This page was too old to be answered, so it is shown anew; choose once more."
WAIT = ("Too many tries", "This page was answered wrongly too often. It takes answers again in {}.")


async def book(request: Request) -> Response:
    """Show the page, or take its form."""
    token = request.path_params["token"]
    try:
        if request.method == "POST":
            return await run_in_threadpool(_answer, token, await read_form(request))
        return await run_in_threadpool(_show, token)
    except HTTPException as error:
        return _html(calm_page(GONE[0], error.detail), error.status_code)


routes = [Route("/book/{token:path}", book, methods=["GET", "POST"])]


def _show(token: str) -> Response:
    app = current_app()
    with app.read() as conn:
        tenants = {one.id: one for one in list_tenants(conn)}
        link = find_link(conn, _hashes(app, tenants, token))
        if link is None:
            return _html(calm_page(), 404)
        now = tenants[link.tenant_id].now(app.settings.frozen_now)
        shown = read_invitation(conn, app.vault, link, now)
    return _shown(app, shown, token)


def _answer(token: str, form: Form) -> Response:
    app = current_app()
    with app.read() as conn:  # what opens nothing takes no write lock
        tenants = {one.id: one for one in list_tenants(conn)}
        link = find_link(conn, _hashes(app, tenants, token))
    if link is None:
        return _html(calm_page(), 404)
    with app.write() as tx:
        tenant = tenants[link.tenant_id]
        now = tenant.now(app.settings.frozen_now)  # under the write lock: what is received first stands
        shown = read_invitation(tx.conn, app.vault, link, now)
        if shown is None:
            return _html(calm_page(), 404)
        name_hash = app.vault.lookup_hash(tenant.id, "book", link.thread_id)
        failures, wait = read_tries(tx.conn, tenant.id, name_hash, real_now())
        if wait is not None:
            page = calm_page(WAIT[0], WAIT[1].format(say_span(wait)))
            return _html(page, 429, {"retry-after": str(int(wait.total_seconds()) + 1)})
        answered = _take(app, tx, tenant, shown, (token, form), now)
        if isinstance(answered, str):
            note_refused_answer(tx, tenant.id, name_hash, failures, real_now())
            return _shown(app, shown, token, refusal=answered)
    return answered


def _take(
    app: App, tx: Tx, tenant: TenantRow, shown: Invitation, sent: tuple[str, Form], now: datetime
) -> Response | str:
    """Take the form, or say in a sentence why it is no answer."""
    token, form = sent
    if not hmac.compare_digest(form.get("form", "").encode(), _form_token(app, tenant.id, token).encode()):
        return OLD_FORM
    slot_at = None if form.get("act") == "withdraw" else _read_slot(form.get("slot", ""))
    if slot_at is None and form.get("act") != "withdraw":
        return NONE_CHOSEN
    became, shown = answer_invitation(tx, app.desk, tenant, shown, Reply(token, slot_at), now)
    if became == "not_offered":
        return TAKEN
    return _html(late_page(shown), 410) if became == "late" else _shown(app, shown, token)


def _shown(app: App, shown: Invitation | None, token: str, *, refusal: str | None = None) -> Response:
    if shown is None:
        return _html(calm_page(), 404)
    if shown.stands in ("booked", "withdrawn"):
        return _html(standing_page(shown), 200)
    if shown.stands != "open":
        return _html(calm_page(), 410)
    page = invitation_page(shown, _form_token(app, shown.link.tenant_id, token), refusal=refusal)
    return _html(page, 200 if refusal is None else 409)


def _hashes(app: App, tenants: dict[str, TenantRow], token: str) -> list[str]:
    """Answer the token's hash in each tenant: the address names none."""
    return [app.vault.token_hash(name, token) for name in tenants] if is_token(token) else []


def _form_token(app: App, tenant_id: str, token: str) -> str:
    return app.vault.token_hash(tenant_id, f"form {token}").partition(":")[2]


def _read_slot(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _html(page: str, status: int, more: dict[str, str] | None = None) -> Response:
    return HTMLResponse(page, status, {**HEADERS, **(more or {})})
