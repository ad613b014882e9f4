"""A real Temporal server for tests: the one that `temporal server start-dev` starts, on a free port of this machine."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from core.engines.temporal.line import answers

T = TypeVar("T")
PROGRAM = Path(sys.executable).with_name("temporal")
PATIENCE_SECONDS = 60.0
BETWEEN_SECONDS = 0.2
# Nothing of these servers outlives the run, so they need not flush.
QUICK = ("--sqlite-pragma", "synchronous=OFF", "--sqlite-pragma", "journal_mode=WAL")


class Server:
    """One server and its database file; it can be killed and started again on the same port."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._file = folder / "temporal.sqlite"
        self._options = options
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(
            [
                str(PROGRAM), "server", "start-dev", "--headless", "--port", str(self._port), "--ip", "127.0.0.1",
                "--db-filename", str(self._file), "--log-level", "never", *self._options,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            if answers(self.address):
                return
            time.sleep(BETWEEN_SECONDS)
        self.kill()
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Kill it as a power cut would."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def stored(self) -> bytes:
        """Answer all that it keeps on disk."""
        return b"".join(one.read_bytes() for one in sorted(self._file.parent.glob("temporal.sqlite*")))


def run_apart(question: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a loop of its own thread: a browser's tests leave one running in this one."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, question).result()


def free_port() -> int:
    """Answer a port that nobody listens on now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@cache
def shared_server() -> Server:
    """Start the run's server once; it ends with the run."""
    folder = Path(tempfile.mkdtemp(prefix="daybook-temporal-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    server = Server(folder, *QUICK)
    atexit.register(server.kill)
    return server
