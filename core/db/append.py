"""Append whole lines to a file that several processes write, and read them back.

A crash may leave a last line without its end. The next writer ends it with CUT, so that it neither swallows the line
after it nor is taken for damage.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Sequence
from pathlib import Path

CUT = b"~"
_TAIL = 4096


def append_lines(path: Path, lines: Sequence[bytes], *, cut: re.Pattern[bytes], flush: bool) -> None:
    """Add lines; with `flush` they are on the device when this returns. Raises OSError.

    `cut` matches what a line that was cut short may look like; anything else without an end is ended and no more.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        content = _ending_for(handle, cut) + b"".join(line + b"\n" for line in lines)
        while content:
            content = content[os.write(handle, content) :]
        if flush:
            os.fsync(handle)
    finally:
        os.close(handle)


def _ending_for(handle: int, cut: re.Pattern[bytes]) -> bytes:
    """Answer what ends a last line that has no end: under the lock nobody is still writing it."""
    size = os.fstat(handle).st_size
    unended = os.pread(handle, _TAIL, max(0, size - _TAIL)).rpartition(b"\n")[2]
    if not unended:
        return b""
    return CUT + b"\n" if cut.fullmatch(unended) else b"\n"


def split_lines(content: bytes, *, cut: re.Pattern[bytes]) -> tuple[list[bytes], bytes]:
    """Answer the lines of a file that are whole or ended, and a last one that was not cut short and has no end."""
    *lines, unended = content.split(b"\n")
    return lines, b"" if cut.fullmatch(unended) else unended
