"""The benchmark does the whole job and says what it found. No test holds it to a time."""

from __future__ import annotations

import json
import subprocess
import sys


def test_w1_prints_one_line_with_no_letter_twice_and_none_lost() -> None:
    command = [sys.executable, "-m", "tests.benchmarks", "W1", "--json", "--threads", "3"]

    line = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    assert {"peer", "workload", "wall_s", "checkpoints_per_s", "steps_per_s", "bytes_per_thread", "rss_mb"} <= set(line)
    assert (line["threads"], line["checkpoints"] > 0, line["duplicates"], line["lost"]) == (3, True, 0, 0)
