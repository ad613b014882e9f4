"""Start real processes, wait for what they say, and end them by their pid."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.homes import Home

ROOT = Path(__file__).parents[2]
PATIENCE = 100.0
KILLED = -signal.SIGKILL


class Nursery:
    """The process that forks all others; ending it ends them. `acts` names the module of what they can do."""

    def __init__(self, log: Path, acts: str = "tests.crash.acts") -> None:
        self.log = log
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.nursery", acts],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, act: str, home: Home, **more: Any) -> Child:
        """Start a process that does one act in a home, at the home's time."""
        settings = home.app.settings
        given = {
            "home": str(home.app.home),
            "now": None if settings.now is None else settings.now.isoformat(),
            "hold": settings.hold_seconds,
            **more,
        }
        return Child(self, self.order({"act": act, "with": given, "log": str(self.log)})["pid"])

    def order(self, order: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate(timeout=PATIENCE)


@dataclass
class Child:
    """One forked process. It is not reaped before it was waited for, so its pid stays its own."""

    nursery: Nursery
    pid: int
    status: int | None = None

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for the end, and answer the exit status: negative for a signal."""
        if self.status is None:
            self.status = self.nursery.order({"wait": self.pid, "seconds": seconds})["status"]
        assert self.status is not None, f"process {self.pid} still lives after {seconds} s"
        return self.status

    def lives_for(self, seconds: float) -> bool:
        """Say whether it is still there after so many seconds."""
        if self.status is None:
            self.status = self.nursery.order({"wait": self.pid, "seconds": seconds})["status"]
        return self.status is None

    def kill(self, number: int = signal.SIGKILL) -> None:
        if self.status is None:
            os.kill(self.pid, number)

    def finish(self) -> None:
        """Wait for an end without trouble; what it wrote is shown where there was any."""
        assert self.wait() == 0, self.nursery.log.read_text()


class Signals:
    """Between a test and its processes: each says that it reached a place, then waits until the test lets all go on."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        os.mkfifo(folder / "reached")
        self._reached = os.open(folder / "reached", os.O_RDWR | os.O_NONBLOCK)
        self._gate = os.open(folder / "gate", os.O_RDWR | os.O_CREAT)
        fcntl.flock(self._gate, fcntl.LOCK_EX)

    def wait_reached(self, count: int = 1) -> None:
        """Wait until so many processes said that they are there."""
        for _ in range(count):
            assert select.select([self._reached], [], [], PATIENCE)[0], "nobody reached the place"
            os.read(self._reached, 1)

    def let_go(self) -> None:
        """Let everybody go on."""
        fcntl.flock(self._gate, fcntl.LOCK_UN)

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._reached)
        with suppress(OSError):
            os.close(self._gate)
