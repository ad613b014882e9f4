"""Move a home's rows and die right after the threads arrived: `moving_killed.py HOME URL-OR-NOTHING TO`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from core.bootstrap import moving, open_app
from core.settings import Settings


def main(home: str, url: str, to: str) -> None:
    settings: dict[str, Any] = {"home": Path(home), "database_url": url or None}
    app = open_app(Settings(_env_file=None, **settings))  # type: ignore[call-arg]
    write = moving._write

    def write_or_die(folder: Path, name: str, what: Any) -> None:
        if name == moving.PROGRESS and "threads" in what.tables:
            os.kill(os.getpid(), signal.SIGKILL)  # the rows are there, and nothing says so yet
        write(folder, name, what)

    moving._write = write_or_die
    moving.move_rows(app, to)


main(*sys.argv[1:])
