"""Locks that the kernel frees when their holder dies, kill -9 included.

A life lock says that a process lives: whoever can take it knows that its holder is gone. The same file names
what its process is performing, a line each, so that a death can be counted against the right threads.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_MARK_SIZE = 512  # what is shorter is filled up, so that one write replaces what stood there


@contextmanager
def file_lock(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold a lock on a file, waiting for it as long as it takes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def file_lock_if_free(path: Path) -> Iterator[bool]:
    """Hold a lock on a file and answer True, or answer False at once where somebody else holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _try_lock(handle)
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class LifeLock:
    """Held for the life of one worker; its file names what the worker performs right now."""

    def __init__(self, folder: Path, worker_id: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{worker_id}.lock"
        self._size = _MARK_SIZE
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def mark(self, performed: Sequence[str]) -> None:
        """Note what is being performed. Not flushed: it must outlive the process, not the machine."""
        content = "\n".join(performed).encode()
        self._size = max(self._size, len(content))
        os.pwrite(self._handle, content.ljust(self._size, b"\n"), 0)

    def release(self) -> None:
        """Give the lock up and remove its file."""
        self.path.unlink(missing_ok=True)
        os.close(self._handle)


def is_free(folder: Path, worker_id: str) -> bool:
    """Say whether the worker is gone: its lock can be taken, or its file is not there."""
    try:
        handle = os.open(folder / f"{worker_id}.lock", os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        return _try_lock(handle)
    finally:
        os.close(handle)


def read_marks(folder: Path, worker_id: str) -> frozenset[str]:
    """Answer what a worker last said it was performing."""
    try:
        content = (folder / f"{worker_id}.lock").read_bytes()
    except FileNotFoundError:
        return frozenset()
    return frozenset(content.decode(errors="replace").split("\n")) - {""}
