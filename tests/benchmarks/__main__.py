"""`python -m tests.benchmarks W1 --json [--threads N]`."""

from __future__ import annotations

import argparse
import json
import sys

from core.cli.edge import quiet_logs
from tests.benchmarks import screening


def main() -> None:
    """Run one workload and print its line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("workload", choices=["W1"])
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--threads", type=int, default=150)
    parser.add_argument("--files", choices=["text", "mixed"], default="text")
    options = parser.parse_args()
    quiet_logs()
    line = screening.run(options.threads, options.files)
    if options.json:
        sys.stdout.write(json.dumps(line) + "\n")
    else:
        sys.stdout.write("\n".join(f"{name:>22}  {value}" for name, value in line.items()) + "\n")


main()
