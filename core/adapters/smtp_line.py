"""One connection to a mail server, from the greeting to the recipient; the letter itself is not on it yet."""

from __future__ import annotations

import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from core.errors import EffectNotSent, EffectTurnedDown
from core.mail_server import MailServer

CONNECT_SECONDS = 10.0
GOODBYE_SECONDS = 1.0
_LONGEST_LINE = 8192


class Line:
    """A connection that may be cut off by time. `close` says goodbye and never raises."""

    def __init__(self, server: MailServer, own_name: str, seconds: float) -> None:
        self._server = server
        self._seconds = seconds
        self.smtp = _unconnected(server, own_name)

    @contextmanager
    def cut_off(self, seconds: float | None = None) -> Iterator[None]:
        """Shut the connection after so many seconds in all, however slowly the other side keeps talking."""
        timer = threading.Timer(self._seconds if seconds is None else seconds, self._shut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _shut(self) -> None:
        if self.smtp.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.smtp.sock, socket.SHUT_RDWR)  # below TLS, which would want to talk first

    def open(self) -> None:
        """Connect and make the line private; raises EffectNotSent."""
        server = self._server
        try:
            code, reply = self.smtp.connect(server.host, server.port)
            if code != 220:
                raise smtplib.SMTPConnectError(code, reply)
            if self.smtp.sock is not None:
                self.smtp.sock.settimeout(self._seconds)
            self.smtp.ehlo_or_helo_if_needed()
            if server.scheme == "smtp" and self.smtp.has_extn("starttls"):
                self.smtp.starttls(context=_context(server))
                self.smtp.ehlo()
        except OSError as error:  # what smtplib raises is one, too
            raise EffectNotSent(f"{server} cannot be used: {_why(error)}.") from error
        if server.user is not None and not (self._is_private or server.is_near):
            raise EffectNotSent(f"{server} offers no STARTTLS, and a password is not sent in the clear; use smtps://.")

    @property
    def _is_private(self) -> bool:
        return isinstance(self.smtp.sock, ssl.SSLSocket)

    def sign_in(self) -> None:
        """Give user and password where there are any; raises EffectNotSent."""
        server = self._server
        if server.user is None or server.password is None:
            return
        try:
            self.smtp.login(server.user, server.password)
        except (OSError, ValueError) as error:
            raise EffectNotSent(f"{server} does not take the user and password: {_why(error)}.") from None

    def address(self, sender: str, recipient: str) -> None:
        """Name sender and recipient; raises EffectTurnedDown where the recipient is refused for good."""
        options = []
        if not recipient.isascii():
            if not self.smtp.has_extn("smtputf8"):
                said = f"{self._server} cannot write to addresses with letters beyond ASCII before the @."
                raise EffectTurnedDown(said, why="address needs SMTPUTF8")
            options = ["SMTPUTF8"]
            self.smtp.command_encoding = "utf-8"
        try:
            code, reply = self.smtp.mail(sender, options)
            if code // 100 != 2:
                raise EffectNotSent(f"{self._server} takes no letters from this sender: {code_of(code, reply)}.")
            code, reply = self.smtp.rcpt(recipient)
        except (OSError, ValueError) as error:
            raise EffectNotSent(f"{self._server} broke off: {_why(error)}.") from error
        if code // 100 == 5:
            why = f"address refused: {code_of(code, reply)}"
            raise EffectTurnedDown(f"{self._server} refuses the recipient for good: {code_of(code, reply)}.", why=why)
        if code // 100 != 2:
            raise EffectNotSent(f"{self._server} does not take the recipient now: {code_of(code, reply)}.")

    def read_reply(self) -> tuple[int, bytes]:
        """Answer a whole reply; raises OSError where the line ends within it, for half a reply says nothing."""
        file, said = self.smtp.file, []
        while file is not None and (one := file.readline(_LONGEST_LINE)).endswith(b"\n"):
            said.append(one[4:].strip())
            if not one[:3].isdigit():
                return -1, b""
            if one[3:4] != b"-":
                return int(one[:3]), b" ".join(said)
        raise smtplib.SMTPServerDisconnected("The reply was cut short.")

    def close(self) -> None:
        """Say goodbye, briefly, and hang up."""
        with suppress(Exception), self.cut_off(GOODBYE_SECONDS):
            self.smtp.quit()
        with suppress(Exception):
            self.smtp.close()


def _unconnected(server: MailServer, own_name: str) -> smtplib.SMTP:
    smtp: smtplib.SMTP
    if server.scheme == "smtps":
        smtp = smtplib.SMTP_SSL(local_hostname=own_name, timeout=CONNECT_SECONDS, context=_context(server))
    else:
        smtp = smtplib.SMTP(local_hostname=own_name, timeout=CONNECT_SECONDS)
    # smtplib checks certificates against the name it was made with, and would connect at once where it is given one.
    smtp._host = server.host  # type: ignore[attr-defined]
    return smtp


def _context(server: MailServer) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if server.is_near:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def code_of(code: int, reply: bytes) -> str:
    """Answer a reply's code, with the finer one where it gives one; never its words, in which an address may stand."""
    finer = reply.split(maxsplit=1)[0].decode("ascii", "replace") if reply.strip() else ""
    is_finer = finer.count(".") == 2 and finer.replace(".", "").isdigit() and len(finer) <= 9
    return f"{code} {finer}" if is_finer else str(code)


_SAID: tuple[tuple[type[Exception], str], ...] = (
    (ssl.SSLCertVerificationError, "this machine does not trust its certificate"),
    (smtplib.SMTPNotSupportedError, "it offers no way to sign in"),
    (smtplib.SMTPServerDisconnected, "it hung up or was silent for too long"),
    (TimeoutError, "it did not answer in time"),
    (socket.gaierror, "its name is not known"),
    (ConnectionRefusedError, "nothing listens there"),
    (ConnectionError, "it hung up or was silent for too long"),
)


def _why(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        return f"it answered {code_of(error.smtp_code, reply if isinstance(reply, bytes) else reply.encode())}"
    return next((said for kind, said in _SAID if isinstance(error, kind)), type(error).__name__)
