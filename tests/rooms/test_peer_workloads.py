"""The commands that stand beside other engines in one run: each prints its line, and the sink holds each key once."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tests.benchmarks.peers

STANDIN = Path(tests.benchmarks.peers.__file__).parent / "standin"
ROOT = STANDIN.parents[3]


@pytest.fixture
def sink(tmp_path: Path) -> Path:
    """A file as a runner makes it."""
    with sqlite3.connect(tmp_path / "sink.sqlite") as db:
        db.execute("CREATE TABLE sink_effects(key TEXT PRIMARY KEY, at REAL) WITHOUT ROWID")
        db.execute("CREATE TABLE sink_attempts(id INTEGER PRIMARY KEY, key TEXT, pid INT)")
    return tmp_path / "sink.sqlite"


def start(command: str, folder: Path, *options: object) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    line = [sys.executable, "-m", "tests.benchmarks", command, "--json", "--dir", str(folder), *map(str, options)]
    there = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{STANDIN}"}
    return subprocess.Popen(line, cwd=ROOT, env=there, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def read(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The one line of a command that ends by itself."""
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    (line,) = out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.fixture
def killed() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that wait to be killed."""
    waiting: list[subprocess.Popen[str]] = []
    yield waiting
    for one in waiting:
        if one.returncode is None:
            one.kill()
            one.communicate()


def read_and_kill(process: subprocess.Popen[str], killed: list[subprocess.Popen[str]]) -> dict[str, Any]:
    killed.append(process)
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    process.kill()
    process.communicate()
    return found


def letters(sink: Path) -> tuple[list[str], int]:
    """The keys that arrived, and how many attempts there were."""
    with sqlite3.connect(sink) as db:
        keys = [key for (key,) in db.execute("SELECT key FROM sink_effects ORDER BY key")]
        return keys, db.execute("SELECT count(*) FROM sink_attempts").fetchone()[0]


def test_w1_ends_every_thread_and_sends_each_letter_once(tmp_path: Path, sink: Path) -> None:
    line = read(start("W1", tmp_path / "d", "--sink", sink, "--threads", 24))
    assert (line["threads"], line["ended"]) == (24, 24)
    assert line["wall_s"] == pytest.approx(line["apply_s"] + line["approve_s"] + line["book_s"], abs=0.01)
    assert letters(sink) == ([f"role-14/app-{n:05d}/invite" for n in range(24)], 24)


def test_what_a_killed_seed_left_is_listed_whole_and_resumed(
    tmp_path: Path, sink: Path, killed: list[subprocess.Popen[str]]
) -> None:
    seed = start("seed", tmp_path / "d", "--sink", sink, "--threads", 60, "--done", 3)
    assert read_and_kill(seed, killed) == {"ready": 60}
    pages = read(start("W4", tmp_path / "d"))
    assert pages["threads"] == 60
    listed = read(start("W2", tmp_path / "d", "--sink", sink, "--resumes", 4, "--t-exec", time.time()))
    assert listed["waiting"] == 57
    keys, attempts = letters(sink)
    assert (len(keys), attempts) == (7, 7)  # the three that had ended, and the four that were resumed


@pytest.mark.parametrize("habit", [[], ["--habit", "messages"]])
def test_a_long_thread_goes_on_by_one_step_after_a_kill(
    tmp_path: Path, killed: list[subprocess.Popen[str]], habit: list[str]
) -> None:
    assert read_and_kill(start("W3", tmp_path / "d", "--steps", 100, *habit), killed)["steps"] == 100
    assert read(start("W3-resume", tmp_path / "d", "--steps", 100, *habit))["ran"] == 1


@pytest.mark.parametrize("contested", [[], ["--contested"]])
def test_processes_side_by_side_end_all_and_double_nothing(tmp_path: Path, sink: Path, contested: list[str]) -> None:
    barrier = tmp_path / "barrier"
    barrier.mkdir()
    given = ["--sink", sink, "--threads", 12, "--procs", 2, "--barrier", barrier, *contested]
    lines = [read(one) for one in [start("W5", tmp_path / "d", *given, "--me", me) for me in range(2)]]
    assert sum(line["ended"] for line in lines) == 12
    assert letters(sink) == ([f"role-14/app-{n:05d}/invite" for n in range(12)], 12)


def test_without_a_workload_it_says_what_is_missing(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "tests.benchmarks", "W1", "--json", "--dir", str(tmp_path / "d")]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "`workload`" in ended.stderr
    assert "Traceback" not in ended.stderr
