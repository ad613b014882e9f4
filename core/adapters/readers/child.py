"""The process in which files are read: `python -m core.adapters.readers.child [LANGUAGES]`, started by the pool.

It reads one file after another from its input and answers each on its output, and ends when its input does. It holds
no key, opens no file of a home and has nothing of the settings. A limit that is reached ends it, and nothing else.
With languages it reads scans, by tesseract, whose process has the same limits.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from typing import BinaryIO

import msgspec

from core.adapters.readers.parse import finish, parse
from core.adapters.readers.reasons import FAILED, OCR_SECONDS, TOO_HUNGRY
from core.adapters.readers.wire import HEAD, LENGTH, Answer
from core.errors import DaybookError, NoReadableText
from core.steps import Document

MORE_BYTES = 300 * 1024 * 1024
CPU_SECONDS = 15
OCR_MORE_BYTES = 700 * 1024 * 1024


def serve(source: BinaryIO, target: BinaryIO, languages: str = "") -> None:
    """Answer files until the input ends."""
    _limit_once(OCR_MORE_BYTES if languages else MORE_BYTES)
    while head := source.read(HEAD.size):
        name_length, length = HEAD.unpack(head)
        name = source.read(name_length).decode("utf-8", errors="replace")
        content = source.read(length)
        if len(content) < length:
            return
        _limit_time(int(OCR_SECONDS) if languages else CPU_SECONDS)
        answer = _answer(content, name, languages)
        packed = msgspec.msgpack.encode(answer)
        target.write(LENGTH.pack(len(packed)) + packed)
        target.flush()
        if answer.spent:
            return


def _answer(content: bytes, name: str, languages: str) -> Answer:
    try:
        return Answer(finish(_read_scan(content, name, languages)) if languages else parse(content, name))
    except NoReadableText as refused:
        return Answer(sentence=refused.sentence, wordless=True)
    except DaybookError as refused:
        return Answer(sentence=refused.sentence)
    except MemoryError:
        return Answer(sentence=TOO_HUNGRY, spent=True)
    except Exception:  # noqa: BLE001 - a file may make its reader raise anything
        return Answer(sentence=FAILED, spent=True)


def _read_scan(content: bytes, name: str, languages: str) -> Document:
    from core.adapters.readers.scans import read_scan  # noqa: PLC0415 - no other file needs its libraries

    return read_scan(content, name, languages)


def _limit_once(more_bytes: int) -> None:
    """Bound what this process may hold; it writes no file and leaves no core."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    held = _held_bytes()
    if held:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (held + more_bytes, held + more_bytes))


def _held_bytes() -> int:
    """Answer the address space of this process now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _limit_time(seconds: int) -> None:
    """Give the next file its seconds of the processor, counted from what was used before."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with suppress(OSError, ValueError):
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, resource.RLIM_INFINITY)
        )


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, *sys.argv[1:])
