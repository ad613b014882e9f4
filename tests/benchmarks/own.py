"""The project's own workloads: W1 with everything on, and what single pages and parts cost."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from core.cli.edge import quiet_logs
from tests.benchmarks import agent, costs, memory, model, reading, review, runs, screening, today, workers

Workload = Callable[[argparse.Namespace, int | None], dict[str, Any]]
WORKLOADS: dict[str, Workload] = {
    "W1": lambda given, threads: screening.run(threads or 150, given.files),
    "review": lambda _, threads: review.run(threads or 1000),
    "reading": lambda _, threads: reading.run(threads or 150),
    "model": lambda given, threads: model.run(threads or 150, given.delay, given.calls),
    "workers": lambda given, threads: workers.run(
        workers.Trial(given.workers, threads or 120, given.database, given.model, given.delay)
    ),
    "memory": lambda _, threads: memory.run(threads or 10_000),
    "runs": lambda _, threads: runs.run(threads or 10_000),
    "agent": lambda _given, _threads: agent.run(),
    "costs": lambda _, threads: costs.run(threads or 10_000),
    "today": lambda _, threads: today.run(threads or 10_000),
}


def main() -> None:
    """Run one workload and print its line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("workload", choices=list(WORKLOADS))
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument(
        "--threads",
        type=int,
        help="W1: applicants (150); review: how many wait (1000); memory, runs, today, costs: how many (10000)",
    )
    parser.add_argument("--files", choices=["text", "mixed"], default="text")
    parser.add_argument("--delay", type=float, default=0.5, help="model, workers: seconds that each answer takes")
    parser.add_argument("--calls", type=int, default=8, help="model: how many calls are out at once")
    parser.add_argument("--workers", type=int, default=2, help="workers: how many processes (2)")
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="postgres")
    parser.add_argument("--model", choices=["practice", "messages"], default="practice", help="workers: which model")
    options = parser.parse_args()
    quiet_logs()
    line = WORKLOADS[options.workload](options, options.threads)
    if options.json:
        sys.stdout.write(json.dumps(line) + "\n")
    else:
        sys.stdout.write("\n".join(f"{name:>22}  {value}" for name, value in line.items()) + "\n")
