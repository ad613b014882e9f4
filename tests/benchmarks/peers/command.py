"""The command line that a runner of peers speaks; it prints one line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from core.cli.edge import quiet_logs
from tests.benchmarks.peers import alone, long, together

WORKLOADS: dict[str, Callable[[argparse.Namespace], dict[str, object]]] = {
    "W1": alone.run_w1,
    "seed": alone.run_seed,
    "W2": alone.run_w2,
    "W3": long.run_w3,
    "W3-resume": long.run_w3_resume,
    "W4": alone.run_w4,
    "W5": together.run_w5,
}
_TO_BE_KILLED = ("seed", "W3")


def main() -> None:
    """Run one workload and print its line; what is to be killed then waits for that."""
    given = _options().parse_args()
    quiet_logs()
    sys.stdout.write(json.dumps(WORKLOADS[given.workload](given)) + "\n")
    sys.stdout.flush()
    if given.workload in _TO_BE_KILLED:
        time.sleep(600)


def _options() -> argparse.ArgumentParser:
    given = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    given.add_argument("workload", choices=list(WORKLOADS))
    given.add_argument("--json", action="store_true", help="one line of JSON, as always here")
    given.add_argument("--threads", type=int, default=150, help="how many threads")
    given.add_argument("--dir", type=Path, required=True, help="the folder of the home")
    given.add_argument("--sink", type=Path, help="the file that invites go to")
    given.add_argument("--done", type=int, default=0, help="seed: how many are ended")
    given.add_argument("--resumes", type=int, default=200, help="W2: how many are resumed")
    given.add_argument("--t-exec", type=float, default=0.0, help="W2: when its process was started")
    given.add_argument("--steps", type=int, default=1000, help="W3: how many")
    given.add_argument("--habit", choices=["messages"], help="W3: keep a message a step")
    given.add_argument("--procs", type=int, default=1, help="W5: how many processes")
    given.add_argument("--me", type=int, default=0, help="W5: which of them this is")
    given.add_argument("--barrier", type=Path, help="W5: the folder they meet in")
    given.add_argument("--contested", action="store_true", help="W5: all approve all")

    return given
