"""Agent runs for tests: a small migration, a model that says what the test wrote, databases as they are outside."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.adapters.tools import TOOLS, Tool, Tools
from core.cli.demo_migration import THREAD, seed_migration
from core.desk.agents import NewRun, open_run
from core.ports import ModelReply, Request
from core.workflows.agent import agent_workflow
from tests.homes import Home, open_home

RUN = "tidy-run"
Said = Mapping[str, Any] | Callable[[Request], Mapping[str, Any]]


class Script:
    """A model that says these things in turn, and the last of them for ever. `asked` is what it was sent."""

    label = "a script"
    leaves_machine = False
    answers_within_s = 1.0
    output_limit = 0

    def __init__(self, *said: Said) -> None:
        self.left, self.asked = list(said), list[Request]()

    def answer(self, request: Request) -> ModelReply:
        self.asked.append(request)
        said = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return ModelReply(said(request) if callable(said) else said, self.label)


def use(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


def plan(*steps: str, reason: str = "These are the steps.") -> dict[str, Any]:
    return use("write_plan", reason=reason, steps=list(steps))


LOOK = use("inspect_schema", database="a.db")
END = use("finish", outcome="done", line="All is in place.")


def text_of(request: Request, slot: str) -> str:
    """Answer what a request holds in a slot."""
    return "\n".join(item.text for item in request.items if item.slot == slot)


def migrating(folder: Path, scale: int = 60) -> tuple[Home, Path]:
    """Open a home with a small migration that nobody has begun, and answer where it goes."""
    home = open_home(folder / "home")
    target, _ = seed_migration(home.app, home.actor, scale=scale)
    return home, target


def migrated(folder: Path, scale: int = 60) -> tuple[Home, Path]:
    """Run a small migration to its end."""
    home, target = migrating(folder, scale)
    home.run()
    home.decide(THREAD)
    home.run()
    return home, target


def running(
    folder: Path, *said: Said, tools: Sequence[Tool] | None = None, thread_id: str = RUN
) -> tuple[Home, Path, Script]:
    """Open a home with a run on a small database, led by a script; other tools may stand in for those that ship."""
    place = folder / "place"
    place.mkdir(exist_ok=True)
    make_database(place / "a.db")
    home = open_home(folder / "home")
    open_run(home.app.write, home.app.desk, home.actor, NewRun(thread_id, "Tidy a.db", "migration", place))
    script = Script(*said)
    given = [*(one for one in TOOLS if one.name not in {mine.name for mine in tools or ()}), *(tools or ())]
    home = home.with_code(agent_workflow([one.spec for one in given]), tool=Tools(given)).with_model(script)
    return home, place, script


def make_database(path: Path) -> None:
    if not path.exists():
        with sqlite3.connect(path) as conn:
            conn.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT)")
            conn.executemany("INSERT INTO t VALUES (?, ?)", [(n, f"word {n}") for n in range(1, 21)])
        conn.close()


def dump(path: Path) -> list[str]:
    """Answer a database as SQL, the tools' own keys included."""
    conn = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return list(conn.iterdump())
    finally:
        conn.close()


def ask(path: Path, sql: str) -> list[tuple[Any, ...]]:
    conn = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return conn.execute(sql).fetchall()
    finally:
        conn.close()


def tried(home: Home, thread_id: str = RUN) -> list[tuple[str, str]]:
    """Answer the tries that came to nothing: code and sentence."""
    return [(one.code, one.said) for one in home.thread(thread_id).attempts]


def packet_tokens(home: Home, thread_id: str = RUN) -> int:
    """Answer the estimated tokens of the newest call's items."""
    rows = home.look("SELECT items FROM manifests WHERE thread_id = :id ORDER BY checkpoint DESC LIMIT 1", id=thread_id)
    return sum(one["tokens"] for one in json.loads(str(rows[0][0])))
