"""Mail servers on this machine that do as they are told: one that breaks off wherever a test says, and a real one."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DROP, HANG = b"drop", b"hang"
_REPLIES = {
    b"EHLO": b"250-mail.example.com\r\n250 8BITMIME",
    b"HELO": b"250 mail.example.com",
    b"MAIL": b"250 2.1.0 Ok",
    b"RCPT": b"250 2.1.5 Ok",
    b"DATA": b"354 Go ahead",
    b"RSET": b"250 2.0.0 Ok",
    b"QUIT": b"221 2.0.0 Bye",
}


@dataclass
class Scripted:
    """A server that answers each stage as scripted: a reply, DROP or HANG.

    Stages: `hello` (the greeting), the commands in capitals, `content` (before the final dot is read) and `letter`
    (after it: the letter counts as accepted unless the reply refuses it). `reached` is told of each before its reply.
    """

    script: dict[str, bytes] = field(default_factory=dict)
    reached: Callable[[str], object] = lambda _stage: None
    accepted: list[bytes] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._closed = threading.Event()
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._listen)

    @property
    def address(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def _start(self, what: Callable[..., None], *given: Any) -> None:
        thread = threading.Thread(target=what, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                line, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(line)
            self._start(self._serve, line)

    def _serve(self, line: socket.socket) -> None:
        with suppress(OSError), line, line.makefile("rb") as heard:
            if not self._answer(line, "hello", b"220 mail.example.com ESMTP"):
                return
            for command in heard:
                self.said.append(command.strip())
                verb = command[:4].upper()
                reply = _REPLIES.get(verb, b"500 5.5.1 What?")
                if not self._answer(line, verb.decode(), reply) or verb == b"QUIT":
                    return
                is_open = verb == b"DATA" and self.script.get("DATA", b"354")[:3] == b"354"
                if is_open and not self._take(line, heard):
                    return

    def _answer(self, line: socket.socket, stage: str, reply: bytes) -> bool:
        reply = self.script.get(stage, reply)
        self.reached(stage)
        if reply == HANG:
            self._closed.wait()
        if reply in (DROP, HANG):
            return False
        line.sendall(reply + b"\r\n")
        return True

    def _take(self, line: socket.socket, heard: Any) -> bool:
        if self.script.get("content") in (DROP, HANG):
            heard.readline()
            return self._answer(line, "content", DROP)
        lines = []
        for one in heard:
            if one == b".\r\n":
                break
            lines.append(one.removeprefix(b"."))
        else:
            return False
        if self.script.get("letter", b"250")[:1] not in (b"4", b"5"):
            self.accepted.append(b"".join(lines))
        return self._answer(line, "letter", b"250 2.0.0 Ok: queued as 4QX71")

    def close(self) -> None:
        self._closed.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for line in self._open:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)


@contextmanager
def scripted(**script: bytes) -> Iterator[Scripted]:
    """Run a server that breaks off where the script says."""
    server = Scripted(script)
    try:
        yield server
    finally:
        server.close()


@dataclass
class Mailbox:
    """What a real server took: (sender, recipients, content), and whether the line was private."""

    accepted: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    private: list[bool] = field(default_factory=list)
    port: int = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the server's name for it
        self.accepted.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        self.private.append(session.ssl is not None)
        return "250 2.0.0 Ok: queued as 71"


@contextmanager
def mailbox(
    *, certificate: Path | None = None, users: dict[str, str] | None = None, utf8: bool = True
) -> Iterator[Mailbox]:
    """Run a real server: with STARTTLS where a certificate is given, and sign-in where users are."""
    taken = Mailbox()
    more: dict[str, Any] = {"enable_SMTPUTF8": utf8}
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        more["tls_context"] = context
    if users is not None:
        more |= {"authenticator": _checks(users), "auth_required": True, "auth_require_tls": certificate is not None}
    running = Controller(taken, hostname="127.0.0.1", port=_free_port(), **more)
    running.start()
    taken.port = running.port
    try:
        yield taken
    finally:
        running.stop()


def _checks(users: dict[str, str]) -> Callable[..., AuthResult]:
    def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        return AuthResult(success=users.get(given.login.decode()) == given.password.decode())

    return check


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def self_made_certificate(folder: Path) -> Path:
    """Make a certificate for 127.0.0.1 that nobody vouches for, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail.example.com")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(made.public_bytes(pem) + private)
    return file
