"""The mail server that a setting names: `smtp://[user:password@]host[:port]` or `smtps://…`. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal
from urllib.parse import unquote, urlsplit

_PORTS = {("smtp", False): 25, ("smtp", True): 587, ("smtps", False): 465, ("smtps", True): 465}
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_SHAPE = "outbox, or smtp://[user:password@]host[:port] (smtps:// for TLS from the first byte)"


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where letters go by SMTP. Its text names the server and never the password.

    `is_near`: it is this machine itself, so a plain line is not overheard and a certificate proves nothing.
    """

    scheme: Literal["smtp", "smtps"]
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    is_near: bool = False

    def __str__(self) -> str:
        """Say which server it is."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def read_mail_server(typed: object) -> Literal["outbox"] | MailServer:
    """Read the setting, or raise ValueError with what it must be; what was typed is not repeated."""
    if isinstance(typed, MailServer):
        return typed
    if typed == "outbox":
        return "outbox"
    text = str(typed)
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(f"{_SHAPE}; write other characters of a user or password as %XX")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(f"{_SHAPE}; the port is a number up to 65535, and / ? # @ : are written %XX") from None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError(f"{_SHAPE}")
    if parts.path.strip("/") or parts.query or parts.fragment or port == 0:
        raise ValueError(f"{_SHAPE}, and nothing after the port; / ? # @ : in a password are written %XX")
    return _server(parts.scheme, parts.hostname, port, _credentials(parts.username, parts.password))


def _credentials(user: str | None, password: str | None) -> tuple[str, str] | None:
    if user is None and password is None:
        return None
    if not user or not password:
        raise ValueError(f"{_SHAPE}; a user and a password are given together")
    return unquote(user), unquote(password)


def _server(scheme: str, host: str, port: int | None, known: tuple[str, str] | None) -> MailServer:
    if not _HOST.fullmatch(host) and not _is_address(host):
        raise ValueError(f"{_SHAPE}; the host is a name or an address")
    user, password = known or (None, None)
    return MailServer(
        scheme=scheme,  # type: ignore[arg-type]
        host=host,
        port=port or _PORTS[(scheme, known is not None)],
        user=user,
        password=password,
        is_near=host == "localhost" or (_is_address(host) and ip_address(host).is_loopback),
    )


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
