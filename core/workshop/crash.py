"""The crash lab: a process is really killed where a team chose, another goes on, and the letters are counted.

Each run is a folder of its own that is removed again: a home with one approved invite, copied from one that is prepared
once, and a mailbox that is a file. Nothing of the team's own home is touched.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.clock import pulse
from core.effects.plan import list_entries
from core.errors import StepFailed
from core.threads.rows import get_thread
from core.workshop.crash_child import (
    AFTER_DISPATCH,
    BEFORE_DISPATCH,
    BEFORE_SAVE,
    BOOK,
    KEY,
    SEAMS,
    letters_in,
    open_lab,
)

Way = Literal["none", "keys", "no-keys"]
WAYS: dict[Way, str] = {
    "none": "No ledger: the step sends, then saves",
    "keys": "Ledger, and a mailbox that honours keys",
    "no-keys": "Ledger, and a mailbox that does not",
}
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class CrashRun:
    """What one run left. `killed_letters` is how many letters were out when the process was killed, `status` the
    ledger's word for the invite at the end (None without a ledger) and `thread` what its run waits for."""

    way: Way
    seam: str
    killed_by: int
    killed_letters: int
    letters: int
    left: str | None
    status: str | None
    thread: str | None
    took_s: float

    @property
    def asks(self) -> bool:
        """Say whether it stopped and asks a person instead of guessing."""
        return self.status == "unknown"

    @property
    def answer(self) -> str:
        """Answer what a prediction is held against: so many letters, or that a person is asked."""
        return "asks" if self.asks else str(self.letters)


def run_crash(way: Way, seam: str) -> CrashRun:
    """Kill a process at a seam, let another go on, and count the letters."""
    if way not in WAYS or seam not in SEAMS:
        raise StepFailed(f"The crash lab knows no {way!r} at {seam!r}.")
    begun = pulse()
    with tempfile.TemporaryDirectory(prefix="daybook-crash-") as place:
        folder = Path(place) / "run"
        if way == "none":
            folder.mkdir()
        else:
            shutil.copytree(NURSERY.prepared(), folder)
        killed = NURSERY.order(way, folder, seam)
        if killed != -signal.SIGKILL:
            raise StepFailed(f"The process was to be killed {seam} and ended with {killed} instead.")
        before, left = len(letters_in(folder / BOOK)), _status(folder)[0] if way != "none" else None
        ended = NURSERY.order(way, folder, None)
        if ended != 0:
            raise StepFailed(f"The process that was to go on ended with {ended}.")
        status, thread = (None, None) if way == "none" else _status(folder)
        letters = len(letters_in(folder / BOOK))
    return CrashRun(way, seam, -killed, before, letters, left, status, thread, pulse() - begun)


def bare_environment() -> dict[str, str]:
    """Answer this process's environment without what names its home, its settings and its keys."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("DAYBOOK_", "ANTHROPIC_"))}


class Nursery:
    """Forks a process for each order, in a process of its own that has loaded the product; one order at a time."""

    def __init__(self) -> None:
        self._giving = threading.Lock()
        self._server: subprocess.Popen[str] | None = None
        self._prepared: Path | None = None

    def order(self, what: str, folder: Path, seam: str | None) -> int:
        """Let a process do this, and answer how it ended: minus the signal that killed it, or its exit code."""
        with self._giving:
            return self._order(what, folder, seam)

    def prepared(self) -> Path:
        """Answer the home that runs are copied from; it is made once."""
        with self._giving:
            if self._prepared is None:
                folder = Path(tempfile.mkdtemp(prefix="daybook-crash-home-"))
                if self._order("prepare", folder, None) != 0:
                    raise StepFailed("The crash lab's own home could not be prepared; look at the server's log.")
                self._prepared = folder
            return self._prepared

    def close(self) -> None:
        """End the process that forks, and remove the home that runs were copied from."""
        with self._giving:
            if self._server is not None:
                self._server.communicate()  # nobody gives orders any more, so it ends; its pipes are closed
            if self._prepared is not None:
                shutil.rmtree(self._prepared, ignore_errors=True)
            self._server = self._prepared = None

    def _order(self, what: str, folder: Path, seam: str | None) -> int:
        server = self._served()
        assert server.stdin is not None  # noqa: S101 - both are pipes
        assert server.stdout is not None  # noqa: S101
        server.stdin.write(json.dumps({"what": what, "folder": str(folder), "seam": seam}) + "\n")
        server.stdin.flush()
        answer = server.stdout.readline()
        if not answer:
            raise StepFailed("The crash lab's processes have ended; try again.")
        return int(json.loads(answer)["ended"])

    def _served(self) -> subprocess.Popen[str]:
        if self._server is None or self._server.poll() is not None:
            command = [sys.executable, "-m", "core.workshop.crash_child"]
            self._server = subprocess.Popen(  # noqa: S603 - this interpreter and a module of ours
                command, cwd=ROOT, env=bare_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        return self._server


NURSERY = Nursery()
atexit.register(NURSERY.close)


def _status(folder: Path) -> tuple[str | None, str | None]:
    """Answer the ledger's word for the invite, and the status of its run."""
    app = open_lab(folder)
    try:
        with app.read() as conn:
            entries = [one for one in list_entries(conn, "home") if one.key == KEY]
            thread = get_thread(conn, "home", KEY.rpartition("/")[0])
    finally:
        app.close()
    return (entries[0].status if entries else None), thread.status


__all__ = ["AFTER_DISPATCH", "BEFORE_DISPATCH", "BEFORE_SAVE", "SEAMS", "WAYS", "CrashRun", "Way", "run_crash"]
