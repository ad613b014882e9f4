"""The effect journal: one line a phase, beside the database, flushed before anything leaves.

A restored backup reads it to know what may have left since. Tenant, key, payload hash, attempt, phase; no content.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Line:
    """One phase of one attempt: `sending` before the irreversible byte, then `done`, `not_sent` or `unknown`."""

    tenant: str
    key: str
    payload_hash: str
    attempt: int
    phase: str


class Journal:
    """The append-only file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, lines: Sequence[Line], *, flush: bool) -> None:
        """Add lines in one write; with `flush` they are on the device when this returns."""
        content = "".join(json.dumps(asdict(line), separators=(",", ":")) + "\n" for line in lines).encode()
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, content)
            if flush:
                os.fsync(handle)
        finally:
            os.close(handle)

    def read(self) -> Iterator[Line]:
        """Yield every whole line; one that a crash cut short is left out."""
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                try:
                    yield Line(**json.loads(line))
                except (ValueError, TypeError):
                    continue
