"""A receipt of a run, opened a slice at a time: the line it was distilled to, and the raw output behind it."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection

from core.ports import Blobs
from core.receipts.keep import read_bytes
from core.vault.sealing import Vault

SLICE_BYTES = 6_000


@dataclass(frozen=True, slots=True)
class Opened:
    """A slice of what was kept: bytes `start` to `end` of `size`, as text; `line` is empty where none was written."""

    ref: str
    line: str
    text: str
    start: int
    end: int
    size: int

    @property
    def is_last(self) -> bool:
        """Say whether nothing comes after it."""
        return self.end >= self.size


def open_receipt(  # noqa: PLR0913 - where it lies, whose it is, which part
    conn: Connection, vault: Vault, blobs: Blobs, tenant_id: str, thread_id: str, ref: str, *, start: int = 0
) -> Opened:
    """Answer a slice of what a thread keeps under a reference; raises NotFound, SealedForErased, StateUnreadable.

    Bytes that are no UTF-8 are shown as question marks.
    """
    content, _ = read_bytes(conn, blobs, vault.keys(tenant_id, thread_id), ref)
    line, raw = _parted(content)
    start = max(0, min(start, max(0, len(raw) - 1)))
    part = raw[start : start + SLICE_BYTES]
    return Opened(ref, line, part.decode("utf-8", "replace"), start, start + len(part), len(raw))


class _Head(msgspec.Struct):
    line: str


def _parted(content: bytes) -> tuple[str, bytes]:
    """Part a tool's output into its line and all the rest; anything else is raw as a whole."""
    head, newline, raw = content.partition(b"\n")
    try:
        return msgspec.json.decode(head, type=_Head).line, raw if newline else b""
    except msgspec.DecodeError:
        return "", content
