"""Sends mail by SMTP. The final dot is the irreversible byte, and only the reply to it says that a letter was taken.

    prepare   letter written, connected, private, signed in, sender and recipient named: certainly not sent
    deliver   DATA ──354──► content and final dot ──reply──► 2xx sent · 4xx, 5xx not sent
                │                    └─ no reply: nobody knows
                └─ no reply, or another one: certainly not sent

A server honours no keys and cannot be asked, so what nobody knows is for a person. Message-ID is made of tenant and
key: a person finds the letter by it in the server's log, and a second sending of the same key carries it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr

from core.adapters.letters import CANNOT_BE_WRITTEN, needs_approval, on_the_wire, write_letter
from core.adapters.smtp_line import Line, code_of
from core.errors import EffectNotSent
from core.mail_server import MailServer
from core.ports import Delivery, Envelope, NotSent, Prepared, Sent, Unknown
from core.steps import Json

WITHIN_SECONDS = 25.0  # for each of prepare and deliver; a lease is 60
_LONGEST_REFERENCE = 120
_BARE = re.compile(rb"(?<!\r)\n|\r(?!\n)")


class SmtpMail:
    """Mail by one server, a connection for each letter. `now` is the machine's time, which stands in Date."""

    honours_keys = False
    can_be_asked = False

    def __init__(
        self, server: MailServer, mail_from: str, now: Callable[[], datetime], *, within: float = WITHIN_SECONDS
    ) -> None:
        self._server = server
        self._mail_from = mail_from
        self._sender = parseaddr(mail_from)[1]
        self._now = now
        self._within = within

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:
        """Say yes, except for mail to a person of the tenant."""
        return needs_approval(payload)

    def prepare(self, envelope: Envelope) -> Prepared:
        """Write the letter and bring a connection up to its recipient. Raises EffectNotSent or EffectTurnedDown."""
        letter, content = self._written(envelope)
        line = Line(self._server, self._sender.rpartition("@")[2], self._within)
        try:
            with line.cut_off():
                line.open()
                line.sign_in()
                line.address(self._sender, on_the_wire(envelope.payload["to"]))
        except BaseException:
            line.close()
            raise
        return Prepared(
            envelope, content, via=str(self._server), trace=str(letter["Message-ID"]), opened=line, close=line.close
        )

    def _written(self, envelope: Envelope) -> tuple[EmailMessage, bytes]:
        try:
            letter = write_letter(envelope, self._mail_from, seven_bit=True)
            letter["Date"] = self._now()
            letter["Auto-Submitted"] = "auto-generated"
            content = letter.as_bytes()
        except CANNOT_BE_WRITTEN as error:
            raise EffectNotSent(f"The letter {envelope.key} could not be written; look at its address.") from error
        if _BARE.search(content):  # a line end of another kind may end the letter early at a careless server
            raise EffectNotSent(f"The letter {envelope.key} could not be written; its line ends are mixed.")
        return letter, content

    def deliver(self, prepared: Prepared) -> Delivery:
        """Hand the letter in; from its first byte until the reply nobody knows."""
        line = prepared.opened
        assert isinstance(line, Line)  # noqa: S101 - prepare opened it
        with line.cut_off():
            return _hand_in(line, prepared.content, self._server.host)

    def ask(self, envelope: Envelope) -> Delivery:
        """Say that SMTP has no way to ask; nobody calls this."""
        return Unknown(f"{envelope.kind}_cannot_be_asked")


def _hand_in(line: Line, content: bytes, host: str) -> Delivery:
    try:
        code, reply = line.smtp.docmd("DATA")
    except OSError:
        return NotSent("no reply to DATA")
    if code != 354:
        return _refused(code, reply)
    try:
        line.smtp.send(_stuffed(content) + b".\r\n")
        code, reply = line.read_reply()
    except OSError:
        return Unknown("no reply to the letter")
    if code // 100 == 2:
        return Sent(f"smtp:{host} {_reference(code, reply)}")
    return _refused(code, reply) if code // 100 in (4, 5) else Unknown(f"reply {code}")


def _refused(code: int, reply: bytes) -> NotSent:
    return NotSent(f"smtp {code_of(code, reply)}", is_final=code // 100 == 5)


def _stuffed(content: bytes) -> bytes:
    ended = content if content.endswith(b"\r\n") else content + b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", ended)


def _reference(code: int, reply: bytes) -> str:
    """Answer what the server said it did with the letter, without any address it may have repeated."""
    words = [word for word in reply.decode("ascii", "replace").split() if "@" not in word and word.isprintable()]
    return " ".join(words)[:_LONGEST_REFERENCE] or str(code)
