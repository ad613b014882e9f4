"""Keeps sealed bytes as files of one folder, spread over sub-folders by the id's first two letters."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from core.adapters.disk import flush_folder, sweep_unfinished, unfinished
from core.errors import NotFound

_ID = re.compile(r"[A-Za-z0-9-]+")


class FolderBlobs:
    """A blob store in a folder. What `put` returned from survives a cut of power."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, blob_id: str, sealed: bytes) -> None:
        """Keep the bytes, flushed to the device; the same id again replaces them."""
        path = self._path(blob_id)
        self._make_folders(path.parent)
        with unfinished(path.parent, sealed) as written:
            written.replace(path)
        flush_folder(path.parent)

    def get(self, blob_id: str) -> bytes:
        """Answer the bytes, or raise NotFound."""
        try:
            return self._path(blob_id).read_bytes()
        except FileNotFoundError:
            raise NotFound(f"There is no blob {blob_id} here.") from None

    def delete(self, blob_id: str) -> None:
        """Remove the bytes; removing what is not there is fine."""
        path = self._path(blob_id)
        path.unlink(missing_ok=True)
        if path.parent.is_dir():
            flush_folder(path.parent)

    def written_at(self, blob_id: str) -> datetime:
        """Answer when the bytes were written, or raise NotFound."""
        try:
            return datetime.fromtimestamp(self._path(blob_id).stat().st_mtime, UTC)
        except FileNotFoundError:
            raise NotFound(f"There is no blob {blob_id} here.") from None

    def list_ids(self) -> set[str]:
        """Answer the ids of all that is kept."""
        return {path.name for path in self._folder.glob("*/*/*") if _ID.fullmatch(path.name)}

    def sweep_unfinished(self) -> int:
        """Remove what a killed process was still writing, and answer how much that was."""
        return sweep_unfinished(self._folder, "*/*/*")

    def _path(self, blob_id: str) -> Path:
        if not _ID.fullmatch(blob_id):
            raise ValueError(f"{blob_id!r} is no blob id: letters, digits and hyphens only.")
        return self._folder / blob_id[:1] / blob_id[1:2].ljust(1, "-") / blob_id

    def _make_folders(self, folder: Path) -> None:
        """Make the folder and flush its parents, or the new folder itself could be lost."""
        if folder.is_dir():
            return
        folder.mkdir(parents=True, exist_ok=True)
        for parent in (folder.parent, self._folder):
            flush_folder(parent)
