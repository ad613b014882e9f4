"""Reads a file that a person named: an ordinary one, whole, and never more of it than is allowed.

A pipe, a device or a socket can hold a reader for ever, so none is read from: a file is opened without waiting, looked
at while it is open, and then read up to its limit, whatever its size was said to be.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from core.errors import BadInput
from core.identity import storable

MEGABYTE = 1024 * 1024


def read_file(path: Path, most_bytes: int, *, called: str | None = None) -> bytes:
    """Answer a file's bytes, or raise BadInput with one sentence; `called` is what the sentence calls it.

    A link that a person names is followed, for they could name what it leads to.
    """
    called = called or label_of(str(path))
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise BadInput(f"{called} is not there; look at its name.") from error
    except (OSError, ValueError) as error:
        raise BadInput(f"{called} cannot be opened; look at what it is and who may read it.") from error
    try:
        _check_kind(os.fstat(handle).st_mode, called)
        with os.fdopen(handle, "rb", closefd=False) as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise BadInput(f"{called} cannot be read to its end; make a new copy of it.") from error
    finally:
        os.close(handle)
    if len(content) > most_bytes:
        raise BadInput(f"{called} is larger than {most_bytes // MEGABYTE} MB; ask for a smaller copy.")
    return content


def _check_kind(mode: int, called: str) -> None:
    if stat.S_ISDIR(mode):
        raise BadInput(f"{called} is a folder, not a file; name the file itself.")
    if not stat.S_ISREG(mode):
        raise BadInput(f"{called} is no ordinary file but a pipe or a device; name a file.")


FOLDERS = ("blobs", "outbox", "inbox", "targets", "sandboxes", "keys", "locks", "exports", "logs")
_FILES = (
    "audit-heads.log",
    "effect-journal.log",
    "moved.json",
    "keys/keys.sqlite",
    "keys/wrapping.key",
    "locks/home.lock",
)


def make_private_home(home: Path, database: Path) -> None:
    """Make a home's folders where they are missing, for this user alone, and so whatever this process makes later.

    Files that an earlier version left open to others are closed to them. Raises OSError, which names the file, where
    one of the home's own files cannot be written: better before a command acts than after.
    """
    os.umask(0o077)
    for folder in (home, *(home / name for name in FOLDERS)):
        folder.mkdir(parents=True, exist_ok=True)
        _close_to_others(folder, 0o700)
    for file in (database, *(home / name for name in _FILES)):
        if file.exists():
            _check_writable(file)
            _close_to_others(file, 0o600)


def _check_writable(file: Path) -> None:
    if not file.is_file():
        raise OSError(errno.EISDIR, "it is no ordinary file", str(file))
    if not os.access(file, os.R_OK | os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(file))


def _close_to_others(path: Path, mode: int) -> None:
    if path.stat().st_mode & 0o077:
        with suppress(PermissionError):  # another user's: who made it decides who reads it
            path.chmod(mode)


def label_of(name: str) -> str:
    """Answer a file's name as any screen and any database can hold it."""
    return storable(name.encode("utf-8", errors="replace").decode())
