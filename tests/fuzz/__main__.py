"""`python -m tests.fuzz [--files N] [--seed S]`; exit 1 where any file was not dealt with as it should be."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from core.adapters.readers import ApplicationReader
from core.adapters.readers.pool import MOST_AT_ONCE
from tests.fuzz.trial import Fault, trials, try_one

_AT_ONCE = 500


def main() -> None:
    """Damage and read the files, and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    faults: list[Fault] = []
    began, reader = time.perf_counter(), ApplicationReader()
    arriving = trials(options.files, options.seed)
    with ThreadPoolExecutor(MOST_AT_ONCE) as readers:
        while some := list(islice(arriving, _AT_ONCE)):
            found = readers.map(lambda one: try_one(reader, *one, outcomes), some)
            faults += [fault for fault in found if fault is not None]
    told = ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items()))
    sys.stdout.write(f"{options.files} damaged files in {time.perf_counter() - began:.0f} s: {told}.\n")
    for fault in faults[:50]:
        sys.stdout.write(f"  {fault.kind} (seed {options.seed}, number {fault.number}): {fault.what}\n")
    sys.stdout.write(f"{len(faults)} faults.\n")
    sys.exit(1 if faults else 0)


main()
