"""Sign-in, sign-out and one's own password: plain routes, so that the cookie is one no script can read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import parse_qs

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from core.bootstrap import HOME_TENANT, App
from core.catalog.configs import get_config
from core.clock import real_now
from core.desk.desk import Actor
from core.desk.people import Door, change_password, sign_in, sign_in_to_demo, sign_out
from core.errors import NotAllowed, NotFound, Refused
from core.people.accounts import has_password
from core.people.people import Member
from core.people.sessions import ABSOLUTE
from core.people.tenants import get_tenant, list_tenants
from core.web.forms import SignIn, password_page, refusal_page, sign_in_page
from core.web.guard import is_on_this_machine
from core.web.life import current_app
from core.web.signed_in import COOKIE, SIGN_IN_FIRST, find_visitor, own_page

MOST_BYTES = 64 * 1024
DEMO_ROLE = "role-14"
BAD_TENANT = "That is not a tenant's name."
NOT_TWICE = "The new password was not typed the same way twice."
SIGNED_OUT = "You are signed out."
CHANGED = "Your password is changed. Every other session of yours has ended."
_TENANT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
# Verifying takes 64 MB and a core for a moment: two at a time, and whoever comes then waits without a thread.
_VERIFYING: RunVar[CapacityLimiter] = RunVar("verifying")
Form = Mapping[str, str]


async def login(request: Request) -> Response:
    """Show the sign-in page, or sign in."""
    if request.method != "POST":
        return await run_in_threadpool(_show_sign_in, request)
    form = await read_form(request)
    return await _verifying(_sign_in_to_demo if "demo" in form else _sign_in, request, form)


async def logout(request: Request) -> Response:
    """End the session of the cookie, whoever's it is."""
    return await run_in_threadpool(_sign_out, request)


async def password(request: Request) -> Response:
    """Show the page for one's own password, or change it."""
    if request.method != "POST":
        return await run_in_threadpool(_show_password, request)
    return await _verifying(_change_password, request, await read_form(request))


routes = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/password", password, methods=["GET", "POST"]),
]


async def read_form(request: Request) -> Form:
    """Answer the fields of a form; refuses what is none, and what is longer than any of ours."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Only forms are read here.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, "A form has at most 64 KB.")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=20, errors="strict")
    except ValueError as error:
        raise HTTPException(400, "This form cannot be read.") from error
    return {name: values[0] for name, values in fields.items()}


async def _verifying(act: Callable[[Request, Form], Response], request: Request, form: Form) -> Response:
    limiter = _VERIFYING.get(None)
    if limiter is None:
        limiter = CapacityLimiter(2)
        _VERIFYING.set(limiter)
    return await to_thread.run_sync(act, request, form, limiter=limiter)


def _show_sign_in(request: Request) -> Response:
    query = request.query_params
    if find_visitor(_presented(request)) is not None:
        return RedirectResponse(own_page(query.get("next", "/")), 303)
    return _sign_in_form(request, query, 200, notice=SIGNED_OUT if "out" in query else None)


def _sign_in(request: Request, form: Form) -> Response:
    app, email = current_app(), form.get("email", "")
    tenant_id, claimed = _tenant_asked(app, form), email
    with app.read() as conn:
        if tenant_id not in [one.id for one in list_tenants(conn)]:
            # Nobody is there: the try is counted in ours, under a name that no person can have.
            tenant_id, claimed = HOME_TENANT, f"{email} {tenant_id}"
    door = Door(app.read, app.write, app.vault)
    try:
        token = sign_in(door, tenant_id, claimed, form.get("password", ""), real_now(), replaces=_presented(request))
    except Refused as refused:
        return _sign_in_form(request, form, 403, email=email, refusal=refused.sentence)
    return let_in(app, token, own_page(form.get("next", "/")))


def _sign_in_to_demo(request: Request, form: Form) -> Response:
    app = current_app()
    tenant_id = _tenant_asked(app, form)
    with app.read() as conn:
        refusal = _demo_refusal(request, app, conn, tenant_id)
    if refusal is not None:
        status = 404 if isinstance(refusal, NotFound) else 403
        return _html(refusal_page("The demo is not open", refusal.sentence), status)
    with app.write() as tx:
        token = sign_in_to_demo(tx, tenant_id, real_now(), replaces=_presented(request))
    return let_in(app, token, own_page(form.get("next", "/")))


def _demo_refusal(request: Request, app: App, conn: Connection, tenant_id: str) -> Refused | None:
    """Say why the demo's owner may not be let in without a password, if so."""
    if not is_on_this_machine(request.scope, app.settings.base_url):
        return NotAllowed("The demo lets its owner in without a password only on the machine that it runs on.")
    try:
        is_demo = get_config(conn, tenant_id, DEMO_ROLE, "role", 1).content.get("demo") is True
    except NotFound:
        is_demo = False
    if not is_demo:
        return NotFound("There is no demo here; python -m core demo writes it.")
    if has_password(conn, tenant_id):
        return NotAllowed("Somebody has a password here, so everybody signs in with one.")
    return None


def _sign_in_form(
    request: Request,
    given: Form,
    status: int,
    *,
    email: str = "",
    refusal: str | None = None,
    notice: str | None = None,
) -> Response:
    """Draw the form with what was given; a tenant's name stays in it only where one was asked for."""
    app = current_app()
    tenant_id = _tenant_asked(app, given)
    with app.read() as conn:
        has_demo = _demo_refusal(request, app, conn, tenant_id) is None
        may_set_first = not has_demo and _may_set_first(request, app, conn, tenant_id)
    shown = SignIn(
        tenant=given.get("tenant"),
        next_page=own_page(given.get("next", "/")),
        email=email,
        refusal=refusal,
        notice=notice,
        has_demo=has_demo,
        may_set_first=may_set_first,
    )
    return _html(sign_in_page(shown), status)


def _may_set_first(request: Request, app: App, conn: Connection, tenant_id: str) -> bool:
    return is_on_this_machine(request.scope, app.settings.base_url) and not has_password(conn, tenant_id)


def _sign_out(request: Request) -> Response:
    token = _presented(request)
    member = find_visitor(token)
    if token is not None and member is not None:
        with current_app().write() as tx:
            sign_out(tx, member, token, real_now())
    response = RedirectResponse("/login?out=1", 303, {"cache-control": "no-store"})
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response


def _show_password(request: Request) -> Response:
    return _password_form(_visitor(request), 200, notice=CHANGED if "changed" in request.query_params else None)


def _change_password(request: Request, form: Form) -> Response:
    app, member = current_app(), _visitor(request)
    if form.get("new") != form.get("again"):
        return _password_form(member, 403, refusal=NOT_TWICE)
    with app.read() as conn:
        tenant = get_tenant(conn, member.tenant_id)
    actor = Actor(tenant, member, tenant.now(app.settings.frozen_now), "page")
    door = Door(app.read, app.write, app.vault)
    try:
        token = change_password(door, actor, form.get("old", ""), form.get("new", ""), real_now())
    except Refused as refused:
        return _password_form(member, 403, refusal=refused.sentence)
    return let_in(app, token, "/password?changed=1")


def _password_form(member: Member, status: int, *, refusal: str | None = None, notice: str | None = None) -> Response:
    with current_app().read() as conn:
        can_change = has_password(conn, member.tenant_id, member.id)
    return _html(password_page(member.email, can_change=can_change, refusal=refusal, notice=notice), status)


def _visitor(request: Request) -> Member:
    """Answer who asks; they were let in a moment ago, and may be out by now."""
    member = find_visitor(_presented(request))
    if member is None:
        raise HTTPException(401, SIGN_IN_FIRST)
    return member


def _tenant_asked(app: App, given: Form) -> str:
    asked = given.get("tenant")
    if asked is None:
        return app.settings.tenant or HOME_TENANT
    if not _TENANT.fullmatch(asked):
        raise HTTPException(400, BAD_TENANT)
    return asked


def _presented(request: Request) -> str | None:
    return request.cookies.get(COOKIE)


def let_in(app: App, token: str, to: str) -> Response:
    """Lead whoever signed in to a page, with the cookie of their session."""
    response = RedirectResponse(to, 303, {"cache-control": "no-store"})
    response.set_cookie(
        COOKIE, token, max_age=int(ABSOLUTE.total_seconds()), path="/", httponly=True, samesite="lax",
        secure=app.settings.base_url.lower().startswith("https://"),
    )  # fmt: skip
    return response


def _html(page: str, status: int) -> Response:
    return HTMLResponse(page, status, {"cache-control": "no-store"})
