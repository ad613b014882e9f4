"""Files that are whole or not there: written and flushed under another name first."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

UNFINISHED = ".part"


def write_unfinished(folder: Path, content: bytes) -> Path:
    """Write and flush the bytes under a name that no reader of the folder takes for a finished file."""
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=UNFINISHED, dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def flush_folder(folder: Path) -> None:
    """Flush a folder's own list of names, without which a new file can be lost with the power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep_unfinished(folder: Path, pattern: str) -> int:
    """Remove files that a killed process was still writing, and answer how many.

    One that is still being written fails for its writer, who has then kept nothing and may try again.
    """
    unfinished = [path for path in folder.glob(pattern) if path.suffix == UNFINISHED]
    for path in unfinished:
        path.unlink(missing_ok=True)
    return len(unfinished)
