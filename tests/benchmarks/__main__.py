"""`python -m tests.benchmarks W1 --json [--threads N]`; `review` in its place times the review page, `reading` what
reading files costs, `model` what waiting for a slow model costs, `runs` what pages of the list of runs take."""

from __future__ import annotations

import argparse
import json
import sys

from core.cli.edge import quiet_logs
from tests.benchmarks import model, reading, review, runs, screening


def main() -> None:
    """Run one workload and print its line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("workload", choices=["W1", "review", "reading", "model", "runs"])
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument(
        "--threads", type=int, help="W1: applicants (150); review: how many wait (1000); runs: how many"
    )
    parser.add_argument("--files", choices=["text", "mixed"], default="text")
    parser.add_argument("--delay", type=float, default=0.5, help="model: seconds that each answer takes")
    parser.add_argument("--calls", type=int, default=8, help="model: how many calls are out at once")
    options = parser.parse_args()
    quiet_logs()
    if options.workload == "review":
        line = review.run(options.threads or 1000)
    elif options.workload == "runs":
        line = runs.run(options.threads or 10_000)
    elif options.workload == "reading":
        line = reading.run(options.threads or 150)
    elif options.workload == "model":
        line = model.run(options.threads or 150, options.delay, options.calls)
    else:
        line = screening.run(options.threads or 150, options.files)
    if options.json:
        sys.stdout.write(json.dumps(line) + "\n")
    else:
        sys.stdout.write("\n".join(f"{name:>22}  {value}" for name, value in line.items()) + "\n")


main()
