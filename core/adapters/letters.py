"""A letter as a message: the same for every way it may leave by."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from email.errors import MessageError
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8, EmailPolicy
from typing import Any

from core.errors import BadInput
from core.identity import check_email, display_name, storable
from core.ports import Envelope
from core.steps import Json

# Whatever a payload holds, the trouble of writing it down is one of these.
CANNOT_BE_WRITTEN = (BadInput, MessageError, KeyError, TypeError, ValueError)


class _Headers(HeaderRegistry):
    """Makes each kind of header's class once; the library makes it anew for every header of every letter."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Answer the class of this header."""
        known = name.lower()
        if known not in self._made:
            self._made[known] = super().__getitem__(name)
        return self._made[known]


_HEADERS = _Headers()


def needs_approval(payload: Mapping[str, Json]) -> bool:
    """Say yes, except for mail to a person of the tenant."""
    return payload.get("internal") is not True


def write_letter(envelope: Envelope, mail_from: str, *, seven_bit: bool = False) -> EmailMessage:
    """Write the letter from `to`, `subject`, `body` and, where given, to_name, sender, reply_to and language.

    With `seven_bit` the body is encoded so that every server passes it on unchanged. Raises one of CANNOT_BE_WRITTEN.
    """
    payload = envelope.payload
    local, domain = on_the_wire(payload["to"]).rsplit("@", 1)
    letter = EmailMessage(policy=_policy(local, seven_bit=seven_bit))
    letter["From"] = _from(mail_from, payload.get("sender"))
    letter["To"] = Address(display_name(payload.get("to_name") or ""), local, domain)
    letter["Subject"] = display_name(payload["subject"])
    if payload.get("reply_to"):
        letter["Reply-To"] = on_the_wire(payload["reply_to"])
    letter["Message-ID"] = f"<{name_of(envelope.tenant_id, envelope.key)}@{letter['From'].addresses[0].domain}>"
    letter.set_content(storable(payload["body"]))
    if payload.get("language"):  # what is set before the content goes with the one before it
        letter["Content-Language"] = display_name(payload["language"])
    return letter


def _from(mail_from: str, sender: Json) -> str | Address:
    """Answer whom a letter is from: the name may be the role's, the address is always the home's own."""
    if not sender:
        return mail_from
    home = EmailMessage(policy=SMTP.clone(header_factory=_HEADERS))
    home["From"] = mail_from
    address = home["From"].addresses[0]
    return Address(display_name(sender), address.username, address.domain)


def _policy(local: str, *, seven_bit: bool) -> EmailPolicy[EmailMessage]:
    policy = (SMTP if local.isascii() else SMTPUTF8).clone(header_factory=_HEADERS)
    return policy.clone(cte_type="7bit") if seven_bit else policy


def on_the_wire(typed: str) -> str:
    """Answer the address as typed, but in the plain forms that mail programs understand."""
    local, _, domain = unicodedata.normalize("NFKC", check_email(typed)).rpartition("@")
    return f"{local}@{domain if domain.isascii() else domain.encode('idna').decode()}"


def name_of(tenant_id: str, key: str) -> str:
    """Answer the name by which a letter is found outside: made of tenant and key alone, and saying neither."""
    return hashlib.sha256(f"{tenant_id}\0{key}".encode()).hexdigest()[:32]
