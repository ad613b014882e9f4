"""Forks one process for each order read from standard input, and answers its pid or how it ended.

`python -m tests.crash.nursery MODULE`: the module's `ACTS` are what a process can be ordered to do; all that it imports
is loaded once, before the first fork.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from importlib import import_module
from typing import Any

ACTS = import_module(sys.argv[1]).ACTS


def run() -> None:
    living: set[int] = set()
    for line in sys.stdin:
        order = json.loads(line)
        answer = _wait(order["wait"], order["seconds"], living) if "wait" in order else _start(order, living)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    for pid in living:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _start(order: dict[str, Any], living: set[int]) -> dict[str, Any]:
    pid = os.fork()
    if pid == 0:
        _live(order)
    living.add(pid)
    return {"pid": pid}


def _live(order: dict[str, Any]) -> None:
    code = 1
    try:
        log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        ACTS[order["act"]](**order["with"])
        code = 0
    except BaseException:  # noqa: BLE001 - the test reads the log
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _wait(pid: int, seconds: float, living: set[int]) -> dict[str, Any]:
    """Answer the exit status, or None where the process still lives after so many seconds."""
    ended = os.pidfd_open(pid)
    try:
        if not select.select([ended], [], [], seconds)[0]:
            return {"status": None}
    finally:
        os.close(ended)
    living.discard(pid)
    return {"status": os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}


if __name__ == "__main__":
    run()
