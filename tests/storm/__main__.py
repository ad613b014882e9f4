"""`python -m tests.storm [--seconds N] [--seed S] [--database D] [--engine E]`; exit 1 at any loss or double.

Real workers, several at once over one home, are killed by `kill -9`: at random, and on sight the moment a letter
appears. Each round is a home of its own with both kinds of work: applicants that are approved and booked, and a
migration of a real database. What counts is what stands outside when a last worker has come to its end: the letters
in the box, and the target's dump held against one that was migrated without a kill.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from core.cli.edge import quiet_logs
from tests.crash.processes import Nursery
from tests.databases import POSTGRES, SQLITE, homes_on
from tests.homes import close_homes
from tests.storm.round import Tally, Workers, weather
from tests.temporal_server import shared_server


def main() -> None:
    """Let it storm, and print what came of it as one line of JSON a database."""
    parser = argparse.ArgumentParser(prog="python -m tests.storm", description="Kill workers and count from outside.")
    parser.add_argument("--seconds", type=int, default=300, help="for each database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=[SQLITE, POSTGRES], action="append")
    parser.add_argument("--engine", choices=["local", "temporal"], default="local")
    options = parser.parse_args()
    quiet_logs()
    is_well = True
    for database in options.database or [SQLITE, POSTGRES]:
        with tempfile.TemporaryDirectory(prefix="daybook-storm-") as folder, homes_on(database):
            tally = _storm(Path(folder), options)
            close_homes()
        is_well = is_well and tally.is_well
        line = {"engine": options.engine, "database": database, "seed": options.seed, **asdict(tally)}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    sys.exit(0 if is_well else 1)


def _storm(folder: Path, options: argparse.Namespace) -> Tally:
    until, tally = time.monotonic() + options.seconds, Tally()
    chance = random.Random(options.seed)  # noqa: S311 - no secret
    nursery = Nursery(folder / "log", "tests.storm.acts")
    workers = Workers(nursery, None if options.engine == "local" else shared_server().address)
    try:
        while tally.rounds == 0 or time.monotonic() < until:
            weather(folder / f"round-{tally.rounds}", workers, chance, tally, until)
    finally:
        nursery.close()
    return tally


main()
