"""Who is let in: every address but a few asks for a living session before anything else sees the request.

The cookie holds a random token; what it opens is a row, read anew for every request and every page run.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.bootstrap import HOME_TENANT
from core.clock import real_now
from core.people.accounts import has_password
from core.people.people import Member
from core.people.sessions import find_session
from core.people.teams import list_team_ids
from core.settings import load_settings
from core.web.life import current_app

COOKIE = "daybook"
SIGN_IN_FIRST = "You are not signed in any more; load this page again."
# What answers without a session. One that ends in / stands for all below it. The rest of a page's parts is under
# static/: code that every copy of Streamlit has, and nothing of ours. A route that joins these asks for a key itself.
PUBLIC = ("/healthz", "/login", "/logout", "/team", "/team/", "/static/", "/book/", "/api/")
# What is answered for any tenant of the home, and so by no server that is kept to a workshop's teams.
_OF_EVERY_TENANT = ("/login", "/password", "/book/", "/api/")
_PARTS = ("/_stcore/", "/media/", "/component/")
_NO_PAGES = ("/_stcore", "/static", "/media", "/component", "/healthz", "/login", "/logout", "/team", "/book", "/api")
_WORD = r"[A-Za-z0-9_~=@+,-][A-Za-z0-9_.~:=@+,-]*"
_PAGE = re.compile(rf"/(?:{_WORD}(?:/{_WORD})*)?")
_QUERY = re.compile(r"[!-~]*")


class OnlySignedIn:
    """Lets a request through to the pages if its cookie names a living session, else leads to sign-in."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._is_for_teams = load_settings().serves == "workshop"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for the pages where nobody is signed in, and keep what they answer out of the browser's store."""
        if self._is_for_teams and scope["type"] == "http" and _is_of_every_tenant(scope["path"]):
            await RedirectResponse("/team", 303)(scope, receive, send)
            return
        if scope["type"] not in ("http", "websocket") or _is_public(scope["path"]):
            await self._app(scope, receive, send)
            return
        visitor = await run_in_threadpool(find_visitor, HTTPConnection(scope).cookies.get(COOKIE))
        if scope["type"] == "websocket" and visitor is None:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_unstored(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["cache-control"] = "no-store"
            await send(message)

        answer = self._app if visitor is not None else _to_sign_in(scope)
        await answer(scope, receive, send_unstored)


def find_visitor(token: str | None) -> Member | None:
    """Answer who holds this token, or None where it lets nobody in."""
    if not token:
        return None
    app = current_app()
    with app.read() as conn:
        found = find_session(conn, token, real_now())
    return found[0] if found is not None and app.serves(found[0].tenant_id) else None


def somebody_can_sign_in() -> bool:
    """Say whether anybody of the tenant that this server is for has a password, or it is for teams with codes."""
    app = current_app()
    with app.read() as conn:
        if app.settings.serves == "workshop":
            return bool(list_team_ids(conn))
        return has_password(conn, app.settings.tenant or HOME_TENANT)


def own_page(address: str) -> str:
    """Answer the address if it is a page of ours, path and query; the front page for anything else.

    A path is made of plain words with one slash between: no second slash, no backslash, no dots first, no encoding.
    """
    path, mark, query = address.partition("?")
    taken = any(path == one or path.startswith(f"{one}/") for one in _NO_PAGES)
    if taken or not _PAGE.fullmatch(path) or not _QUERY.fullmatch(query):
        return "/"
    return path + mark + query


def sign_in_address(page: str) -> str:
    """Answer the address that asks for sign-in and leads back to this page."""
    back = own_page(page)
    return "/login" if back == "/" else f"/login?next={quote(back, safe='')}"


def _is_of_every_tenant(path: str) -> bool:
    return _is_among(path, _OF_EVERY_TENANT)


def _is_public(path: str) -> bool:
    return _is_among(path, PUBLIC)


def _is_among(path: str, addresses: tuple[str, ...]) -> bool:
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in addresses)


def _to_sign_in(scope: Scope) -> Response:
    path = scope["path"]
    if scope["method"] not in ("GET", "HEAD") or any(part in path for part in _PARTS):
        # A page that is still open asks for these, and shows a JSON text to whoever sits before it.
        return JSONResponse(SIGN_IN_FIRST, 401, {"www-authenticate": 'Cookie realm="Daybook"'})
    query = scope.get("query_string", b"").decode("latin-1")
    return RedirectResponse(sign_in_address(f"{path}?{query}" if query else path), 303)
