"""Reads exports from a folder: one sub-folder a tenant, one file a version. Whatever drops exports there is outside.

A version of an export never changes under its name, so reading it again brings the same and repeats nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from core.adapters.disk import flush_folder, sweep_unfinished, unfinished
from core.errors import EffectNotSent
from core.ports import Delivery, Envelope, NotSent, Prepared, Sent
from core.steps import Json

MOST_BYTES = 32 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")


class FolderExports:
    """Answers a `read` effect with the bytes of the file that its payload names."""

    honours_keys = True
    can_be_asked = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:  # noqa: ARG002 - reading changes nothing outside
        """Say no."""
        return False

    def prepare(self, envelope: Envelope) -> Prepared:
        """Find the file; raises EffectNotSent while it is not there."""
        path = self._path(envelope)
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise EffectNotSent(f"There is no export {envelope.payload.get('name')} of at most 32 MB to read.")
        return Prepared(envelope, b"")

    def deliver(self, prepared: Prepared) -> Delivery:
        """Read it."""
        path = self._path(prepared.envelope)
        try:
            content = path.read_bytes()
        except OSError:
            return NotSent("disk")
        return Sent(f"export:{path.name}", content=content, media_type="text/csv")

    def ask(self, envelope: Envelope) -> Delivery:  # noqa: ARG002 - a read leaves no trace
        """Say that nothing is known of earlier reads."""
        return NotSent("cannot be asked")

    def put(self, tenant_id: str, name: str, content: bytes) -> None:
        """Drop an export, whole and flushed; the same name again must bring the same bytes."""
        folder = self._folder / tenant_id
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with unfinished(folder, content) as written:
            os.replace(written, folder / _checked(name))
        flush_folder(folder)

    def remove(self, tenant_id: str, name: str) -> None:
        """Take an export away again."""
        (self._folder / tenant_id / _checked(name)).unlink(missing_ok=True)

    def sweep_unfinished(self) -> int:
        """Remove what a killed process was still writing, and answer how much."""
        return sweep_unfinished(self._folder, "*/*")

    def _path(self, envelope: Envelope) -> Path:
        try:
            return self._folder / envelope.tenant_id / _checked(str(envelope.payload.get("name")))
        except ValueError as error:
            raise EffectNotSent(f"{envelope.key} names no export that could be read.") from error


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name[:40]!r} is no export's name: letters, digits, dots and hyphens only.")
    return name
