"""What every request and every websocket must pass, and the headers of every answer.

Two things are checked here, whoever asks: under which name Daybook was asked for, and from whose page something that
acts was sent. Who is asking is checked behind this, in signed_in.py.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import SettingsWrong
from core.settings import load_settings

_WRITES = ("POST", "PUT", "PATCH", "DELETE")
_PRIVATE = ("/_stcore/metrics", "/_stcore/agent")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
_PORTS = {"http": 80, "https": 443}
# What is asked here carries its own proof, a letter's token or a program's key, and reads no cookie that another page
# could borrow; a page that sends no referrer names no origin either.
_OWN_PROOF = ("/book/", "/api/")


@dataclass(frozen=True, slots=True)
class Address:
    """The address that people type, from DAYBOOK_BASE_URL: `https://daybook.example.com`."""

    scheme: str
    host: str

    @property
    def origin(self) -> str:
        """What a browser says a page of ours comes from."""
        return f"{self.scheme}://{self.host}"

    @property
    def is_loopback(self) -> bool:
        """Say whether it leads to the machine it is typed on."""
        return is_loopback(_name_of(self.host))


def read_address(base_url: str) -> Address:
    """Read the setting as browsers do: the name in small letters, and no port that goes without saying."""
    parts = urlsplit(base_url.lower())
    return Address(parts.scheme, parts.netloc.removesuffix(f":{_PORTS.get(parts.scheme)}"))


def check_address(address: str | None, base_url: str, has_password: Callable[[], bool]) -> None:
    """Raise SettingsWrong where others could reach the server and nobody could sign in; None means every address."""
    if address is not None and is_loopback(address):
        return
    missing = []
    if read_address(base_url).is_loopback:
        missing.append("set DAYBOOK_BASE_URL to the address that people type")
    if not has_password():
        missing.append("give somebody a password (python -m core person password EMAIL --as EMAIL)")
    if missing:
        raise SettingsWrong(
            f"server.address is {address or 'every address'}, where others can reach Daybook: first "
            f"{' and '.join(missing)}. Set it to 127.0.0.1 to stay on this machine."
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
        self._typed = read_address(load_settings().base_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what may not come in, and put the security headers on every answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope, self._typed)
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send, refusal)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [*message.get("headers", ())]
                named = {name.lower() for name, _ in given}
                message = {**message, "headers": [*given, *(one for one in HEADERS if one[0] not in named)]}
            await send(message)

        answer = self._app if refusal is None else refusal
        await answer(scope, receive, send_with_headers)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send, refusal: Response | None) -> None:
        if refusal is None:
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 1008})


def _refusal(scope: Scope, typed: Address) -> Response | None:
    headers = _headers_of(scope)
    host = headers.get("host", "").lower()
    if not _is_asked_elsewhere(host, typed) and not _is_asked_here(scope, host):
        return PlainTextResponse("Daybook does not answer under this name; DAYBOOK_BASE_URL is the one it has.", 403)
    acts = scope["type"] == "websocket" or scope["method"] in _WRITES
    proves_itself = scope["path"].startswith(_OWN_PROOF) and headers.get("origin", "null") == "null"
    if acts and not proves_itself and not _is_same_origin(headers.get("origin"), host, typed):
        return PlainTextResponse("This request comes from another page than Daybook's own.", 403)
    if scope["path"].startswith(_PRIVATE) and not is_loopback(_caller(scope)):
        return PlainTextResponse("Not found", 404)
    return None


def is_on_this_machine(scope: Scope, base_url: str) -> bool:
    """Say whether server and visitor are on one machine, with no proxy between and no address that others type."""
    headers = _headers_of(scope)
    return (
        read_address(base_url).is_loopback
        and _is_asked_here(scope, headers.get("host", ""))
        and is_loopback(_caller(scope))
        and not any(name in headers for name in _FORWARDED)
    )


def _headers_of(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _is_asked_here(scope: Scope, host: str) -> bool:
    return is_loopback((scope.get("server") or ("",))[0]) and is_loopback(_name_of(host))


def _is_asked_elsewhere(host: str, typed: Address) -> bool:
    """Say whether this is the name that others type; where nobody set one, no request comes from elsewhere."""
    return host == typed.host and not typed.is_loopback


def _caller(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _name_of(host: str) -> str:
    """Answer the name in a Host header, without its port and brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Say whether a name or an address leads to the machine it is typed on."""
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"


def _is_same_origin(origin: str | None, host: str, typed: Address) -> bool:
    if origin is None:
        return False
    if _is_asked_elsewhere(host, typed):
        return origin == typed.origin
    return origin.removeprefix("https://").removeprefix("http://") == host != ""
