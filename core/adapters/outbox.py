"""Sends mail into a folder: one .eml file a letter, named by its key, so that a letter exists once.

    prepare   the letter as bytes, the same for the same payload
    deliver   temporary file, flushed → linked to its name; then the folder is flushed, once for the letters of a group

The link is the sending: it either makes the name or finds it taken, and a finished file is all that anybody
ever sees under a name that ends in .eml.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP
from pathlib import Path

from core.adapters.disk import flush_folder, sweep_unfinished, unfinished
from core.adapters.letters import CANNOT_BE_WRITTEN, name_of, needs_approval, write_letter
from core.errors import EffectNotSent, PayloadMismatch
from core.ports import Delivery, Envelope, NotSent, Prepared, Sent, Unknown
from core.steps import Json

_KEY = "X-Daybook-Key"
_PAYLOAD = "X-Daybook-Payload"


class Outbox:
    """Mail as files in a flat folder. A key sent twice makes one letter, and it can be asked after."""

    honours_keys = True
    can_be_asked = True

    def __init__(self, folder: Path, mail_from: str) -> None:
        self._folder = folder
        self._mail_from = mail_from

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:
        """Say yes, except for mail to a person of the tenant."""
        return needs_approval(payload)

    def prepare(self, envelope: Envelope) -> Prepared:
        """Write the letter that the payload says, and the key and payload it goes under."""
        try:
            letter = _letter(envelope, self._mail_from)
            content = letter.as_bytes()
        except CANNOT_BE_WRITTEN as error:
            raise EffectNotSent(f"The letter {envelope.key} could not be written; look at its address.") from error
        return Prepared(envelope, content, via="outbox", trace=str(letter["Message-ID"]))

    def deliver(self, prepared: Prepared) -> Delivery:
        """Put the letter into the folder, once; raises PayloadMismatch where the key sent another one."""
        envelope = prepared.envelope
        path = self._path(envelope.tenant_id, envelope.key)
        try:
            is_new = _link_once(prepared.content, path)
        except OSError:
            return NotSent("disk")
        return self._sent(path) if is_new else self._found(envelope)

    def ask(self, envelope: Envelope) -> Delivery:
        """Say whether this key's letter, with this payload, is in the folder."""
        if not self._path(envelope.tenant_id, envelope.key).exists():
            return NotSent("not in the outbox")
        found = self._found(envelope)
        try:
            self._flush()  # its writer may have been killed before that
        except OSError:
            return Unknown("disk")
        return found

    def _found(self, envelope: Envelope) -> Delivery:
        """Answer for a letter that is there already."""
        path = self._path(envelope.tenant_id, envelope.key)
        try:
            with path.open("rb") as file:
                sent = BytesHeaderParser(policy=SMTP).parse(file)
        except OSError:
            return Unknown("disk")
        if str(sent[_PAYLOAD]).strip() != envelope.payload_hash:
            raise PayloadMismatch(f"{envelope.key} was sent with other content; it cannot be used for this.")
        return self._sent(path)

    def sweep_unfinished(self) -> int:
        """Remove what a killed process was still writing, and answer how much; no letter is among it."""
        return sweep_unfinished(self._folder, "*")

    def remove(self, tenant_id: str, key: str) -> None:
        """Remove a key's letter from the folder; only for what was never meant for anybody (a demo's letters)."""
        self._path(tenant_id, key).unlink(missing_ok=True)

    def _sent(self, path: Path) -> Sent:
        return Sent(f"outbox:{path.name}", make_lasting=self._flush)

    def _flush(self) -> None:
        flush_folder(self._folder)

    def _path(self, tenant_id: str, key: str) -> Path:
        return self._folder / f"{name_of(tenant_id, key)}.eml"


def _letter(envelope: Envelope, mail_from: str) -> EmailMessage:
    letter = write_letter(envelope, mail_from)
    letter[_KEY] = envelope.key
    letter[_PAYLOAD] = envelope.payload_hash
    return letter


def _link_once(content: bytes, path: Path) -> bool:
    """Make the finished file under its name; False where the name is taken. OSError: nothing was made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(path.parent, content) as written:
        try:
            os.link(written, path)
        except FileExistsError:
            return False
    return True
