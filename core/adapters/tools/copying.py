"""Copy the folder that a run works on, as it is now: databases by SQLite's own backup, other files byte by byte.

The copy is whole or is not there. Links are left out, for what they lead to may lie outside of the folder.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from core.errors import BadInput
from core.keys import random_id

MOST_BYTES = 2 * 1024**3
_HEAD = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")  # a backup has what stands in them


class Sandboxes:
    """The copies of one home, each in a folder of its own."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def copy(self, source: Path) -> Path:
        """Copy a folder as it is now, and answer where the copy lies; raises BadInput where it is gone or too large."""
        if not source.is_dir():
            raise BadInput("The folder of this run is not there, so there is nothing to copy.")
        files = [one for one in sorted(source.rglob("*")) if _is_its_own(one, source)]
        size = sum(one.stat().st_size for one in files)
        if size > MOST_BYTES:
            raise BadInput(f"The folder of this run holds {size:,} bytes; {MOST_BYTES:,} at most are copied.")
        name = random_id("box")
        unfinished, copy = self._home / f".{name}.part", self._home / name
        unfinished.mkdir(parents=True, mode=0o700)
        try:
            for file in files:
                _copy(file, unfinished / file.relative_to(source))
            unfinished.replace(copy)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        return copy

    def remove(self, copy: Path) -> None:
        """Remove a copy that nothing works on."""
        shutil.rmtree(copy, ignore_errors=True)


def _is_its_own(file: Path, folder: Path) -> bool:
    """Say whether it is a file of the folder itself: no link, and behind no link."""
    return file.is_file() and not file.is_symlink() and folder.resolve() in file.resolve().parents


def _copy(file: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with file.open("rb") as opened:
        is_database = opened.read(len(_HEAD)) == _HEAD
    if is_database:
        with (
            closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as conn,
            closing(sqlite3.connect(copy)) as written,
        ):
            conn.backup(written)
        return
    beside = next((ending for ending in _BESIDE if file.name.endswith(ending)), None)
    if beside is None or not file.with_name(file.name.removesuffix(beside)).exists():
        shutil.copyfile(file, copy)
