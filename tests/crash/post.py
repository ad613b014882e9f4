"""A post that does not honour keys: what is handed in twice goes out twice. It may be one that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.ports import Delivery, Envelope, NotSent, Prepared, Sent
from core.steps import Json
from tests.crash import seams


class Post:
    """Writes one line a letter. `dies` is before or after, where this process dies at its first delivery."""

    honours_keys = False

    def __init__(self, book: Path, *, can_be_asked: bool, dies: str | None = None) -> None:
        self._book = book
        self.can_be_asked = can_be_asked
        self._dies = dies

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:
        return True

    def prepare(self, envelope: Envelope) -> Prepared:
        return Prepared(envelope, envelope.key.encode())

    def deliver(self, prepared: Prepared) -> Delivery:
        if self._dies == "before":
            seams.die()
        with self._book.open("ab") as book:
            book.write(prepared.content + b"\n")
        if self._dies == "after":
            seams.die()
        return Sent(f"post:{prepared.envelope.key}")

    def ask(self, envelope: Envelope) -> Delivery:
        return Sent(f"post:{envelope.key}") if envelope.key in sent_by(self._book) else NotSent("not in the book")


def sent_by(book: Path) -> list[str]:
    """Answer the key of each letter that went out, in order."""
    return book.read_text().split() if book.exists() else []
