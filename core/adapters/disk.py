"""Files that are whole or not there: written and flushed under another name first."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

UNFINISHED = ".part"


@contextmanager
def unfinished(folder: Path, content: bytes) -> Iterator[Path]:
    """Write and flush the bytes under a name that no reader of the folder takes for a finished file.

    The name is gone when the block ends. Until then its writer holds a lock on it, which the kernel frees when the
    writer dies: that tells what is being written from what a killed process left.
    """
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=UNFINISHED, dir=folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(content)
        os.fsync(descriptor)
        yield Path(name)
    finally:
        with suppress(OSError):  # what is left here is swept later
            Path(name).unlink(missing_ok=True)
        os.close(descriptor)


def flush_folder(folder: Path) -> None:
    """Flush a folder's own list of names, without which a new file can be lost with the power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep_unfinished(folder: Path, pattern: str) -> int:
    """Remove files that a killed process was still writing, and answer how many; a living writer keeps its own."""
    found = [path for path in folder.glob(pattern) if path.suffix == UNFINISHED]
    return sum(_remove_left(path) for path in found)


def _remove_left(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        path.unlink(missing_ok=True)
        return True
    finally:
        os.close(descriptor)
