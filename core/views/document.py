"""A thread's own file, opened as a person would read it. The text is read anew each time and kept nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
from sqlalchemy import Connection

from core.errors import NotFound
from core.ports import Blobs, FileReader
from core.receipts.keep import read_bytes
from core.steps import Document
from core.threads.load import load_fields
from core.vault.sealing import Vault

Source = Literal["cv", "cover"]


@dataclass(frozen=True, slots=True)
class Library:
    """What opens files: the keys, the sealed bytes, and who reads them."""

    vault: Vault
    blobs: Blobs
    reader: FileReader


@dataclass(frozen=True, slots=True)
class OpenFile:
    """One file: its name as it was sent, and what can be read in it."""

    name: str
    document: Document


def read_document(conn: Connection, library: Library, tenant_id: str, thread_id: str, source: Source) -> OpenFile:
    """Answer a thread's CV or cover letter.

    Raises NotFound where there is none, another tenant's and a deleted one included, and SealedForErased or
    UnreadableFile.
    """
    keys = library.vault.keys(tenant_id, thread_id)
    fields = load_fields(conn, tenant_id, {thread_id: keys})[thread_id]
    ref = msgspec.json.decode(fields.get(f"{source}_ref", b"null"))
    if ref is None:
        raise NotFound(f"{thread_id} has no file of that kind: {source}.")
    content, name = read_bytes(conn, library.blobs, keys, ref)
    return OpenFile(name, library.reader.read(content, name))
