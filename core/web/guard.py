"""What every request and every websocket must pass, and the headers of every answer.

Until there is sign-in the app answers on this machine only: `check_address` refuses to start elsewhere, and the
Guard refuses whatever arrives by another address, for instance because a server was started by hand.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import SettingsWrong

_WRITES = ("POST", "PUT", "PATCH", "DELETE")
_PRIVATE = ("/_stcore/metrics", "/_stcore/agent")


def check_address(address: str | None) -> None:
    """Raise SettingsWrong unless the server listens on this machine only; None means every address."""
    if address is None or not _is_loopback(address):
        raise SettingsWrong(
            f"server.address is {address or 'every address'}: without sign-in Daybook answers on this machine only. "
            "Set it to 127.0.0.1."
        )


def _inline_hashes() -> str:
    """Hash the inline scripts of the page that carries every screen, so that no other inline script may run."""
    found = find_spec("streamlit")
    if found is None or found.origin is None:
        raise SettingsWrong("The package streamlit is not installed; run make setup.")
    page = (Path(found.origin).parent / "static" / "index.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    return " ".join(f"'sha256-{digest}'" for digest in digests)


POLICY = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' {_inline_hashes()}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "object-src 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)


class Guard:
    """What every request and every websocket passes before anything else sees it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what may not come in, and put the security headers on every answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send, refusal)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        answer = self._app if refusal is None else refusal
        await answer(scope, receive, send_with_headers)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send, refusal: Response | None) -> None:
        if refusal is None:
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 1008})


def _refusal(scope: Scope) -> Response | None:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    host = headers.get("host", "")
    asked_at = (scope.get("server") or ("",))[0]
    if not _is_loopback(asked_at) or not _is_loopback(_name_of(host)):
        return PlainTextResponse("Without sign-in Daybook answers on this machine only.", 403)
    acts = scope["type"] == "websocket" or scope["method"] in _WRITES
    if acts and not _is_same_origin(headers.get("origin"), host):
        return PlainTextResponse("This request comes from another page than Daybook's own.", 403)
    caller = (scope.get("client") or ("",))[0]
    if scope["path"].startswith(_PRIVATE) and not _is_loopback(caller):
        return PlainTextResponse("Not found", 404)
    return None


def _name_of(host: str) -> str:
    """Answer the name in a Host header, without its port and brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"


def _is_same_origin(origin: str | None, host: str) -> bool:
    return origin is not None and origin.removeprefix("https://").removeprefix("http://") == host != ""


middleware = [Middleware(Guard)]
