"""Has files read by processes of their own, so that no file takes the app down.

A process is kept for the next file until one misbehaves: takes too long, takes too much, or ends. That file is refused
and the process replaced. A file that met a process somebody used before is tried once more in a fresh one, so that
nobody pays for another's file. The processes are started by program name and not as copies of this one: a copy would
run the app's own script again, and would hold its keys.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from core.adapters.readers.reasons import (
    FAILED,
    OCR_FAILED,
    OCR_SECONDS,
    OCR_TOO_SLOW,
    TOO_SLOW,
    WALL_SECONDS,
)
from core.adapters.readers.wire import HEAD, LENGTH, Answer
from core.errors import NoReadableText, UnreadableFile
from core.steps import Document

MOST_AT_ONCE = max(1, min(4, os.cpu_count() or 1))

_ROOT = Path(__file__).resolve().parents[3]
_PASSED_ON = (
    "PATH",
    "TESSDATA_PREFIX",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "SYSTEMROOT",
)
_CHUNK = 1 << 16


class _GoneError(Exception):
    """The process ended before it answered."""


class _Child:
    """One process that reads files."""

    def __init__(self, *languages: str) -> None:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(  # noqa: S603 - this program, and languages checked with the settings
            [sys.executable, "-m", "core.adapters.readers.child", *languages],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=_ROOT,
            env=environment,
            start_new_session=True,  # Ctrl-C is the app's to answer
        )
        self.has_served = False
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None  # noqa: S101 - asked for above
            os.set_blocking(pipe.fileno(), False)

    def ask(self, content: bytes, name: str, seconds: float) -> Answer:
        """Answer one file; raises TimeoutError, or _GoneError where the process ended."""
        name_bytes = name.encode("utf-8", errors="replace")[:1000]
        until = time.monotonic() + seconds
        try:
            self._send(HEAD.pack(len(name_bytes), len(content)) + name_bytes + content, until)
            answer = msgspec.msgpack.decode(self._take(until), type=Answer)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise _GoneError from error
        self.has_served = True
        return answer

    def ran_out_of_time(self) -> bool:
        """Say whether the system ended the process because it used up its seconds."""
        try:
            return self._process.wait(timeout=1) == -signal.SIGXCPU
        except subprocess.TimeoutExpired:
            return False

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _send(self, content: bytes, until: float) -> None:
        assert self._process.stdin is not None  # noqa: S101 - asked for at the start
        rest = memoryview(content)
        while rest:
            with suppress(BlockingIOError):  # most files fit into the pipe at once
                rest = rest[os.write(self._process.stdin.fileno(), rest[:_CHUNK]) :]
                continue
            _wait(self._process.stdin.fileno(), select.POLLOUT, until)

    def _take(self, until: float) -> bytes:
        """Answer the bytes of the next answer; nothing stands behind it, for nothing more was asked."""
        assert self._process.stdout is not None  # noqa: S101 - asked for at the start
        taken, whole = bytearray(), LENGTH.size
        while len(taken) < whole:
            _wait(self._process.stdout.fileno(), select.POLLIN, until)
            part = os.read(self._process.stdout.fileno(), _CHUNK)
            if not part:
                raise _GoneError
            taken += part
            if len(taken) >= LENGTH.size:
                whole = LENGTH.size + LENGTH.unpack_from(taken)[0]
        return bytes(taken[LENGTH.size :])


def _wait(pipe: int, event: int, until: float) -> None:
    waiting = select.poll()
    waiting.register(pipe, event)
    if not waiting.poll(max(0.0, until - time.monotonic()) * 1000):
        raise TimeoutError


@dataclass
class Pool:
    """The idle processes of this one, and how many may work at once."""

    owner: int = field(default_factory=os.getpid)
    idle: list[_Child] = field(default_factory=list)
    places: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(MOST_AT_ONCE))

    def read(self, content: bytes, name: str) -> Document:
        """Read a file, or raise UnreadableFile; `name` is used only where it promises another kind."""
        with self.places:
            answer = self._read(content, name)
        return _document_of(answer)

    def read_scan(self, content: bytes, name: str, languages: str) -> Document:
        """Read a scan in a process of its own, which is not used again: it may hold more, and longer."""
        with self.places:
            child = _Child(languages)
            try:
                answer = child.ask(content, name, OCR_SECONDS + WALL_SECONDS)
            except TimeoutError:
                answer = Answer(sentence=OCR_TOO_SLOW)
            except _GoneError:
                answer = Answer(sentence=OCR_FAILED)
            finally:
                child.end()
        return _document_of(answer)

    def _read(self, content: bytes, name: str) -> Answer:
        child = self._take_idle() or _Child()
        was_used = child.has_served
        answer = self._ask(child, content, name)
        if answer.spent and was_used and answer.sentence != TOO_SLOW:
            return self._ask(_Child(), content, name)
        return answer

    def _ask(self, child: _Child, content: bytes, name: str) -> Answer:
        try:
            answer = child.ask(content, name, WALL_SECONDS)
        except TimeoutError:
            answer = Answer(sentence=TOO_SLOW, spent=True)
        except _GoneError:
            answer = Answer(sentence=TOO_SLOW if child.ran_out_of_time() else FAILED, spent=True)
        except BaseException:  # interrupted: what this process answers next would be another file's
            child.end()
            raise
        if answer.spent:
            child.end()
        else:
            self.idle.append(child)
        return answer

    def _take_idle(self) -> _Child | None:
        try:
            return self.idle.pop()
        except IndexError:
            return None

    def close(self) -> None:
        """End the idle processes."""
        while child := self._take_idle():
            child.end()


def _document_of(answer: Answer) -> Document:
    if answer.document is None:
        raise (NoReadableText if answer.wordless else UnreadableFile)(answer.sentence)
    return answer.document


_POOLS: list[Pool] = []
_OPENING = threading.Lock()


def pool_of_this_process() -> Pool:
    """Answer this process's pool; one that forked from another does not share its pipes."""
    with _OPENING:
        if not _POOLS or _POOLS[-1].owner != os.getpid():
            _POOLS.append(Pool())
        return _POOLS[-1]


def close_readers() -> None:
    """End the idle processes; the next file starts one again."""
    for pool in _POOLS:
        if pool.owner == os.getpid():
            pool.close()


atexit.register(close_readers)
