"""A home with one thread of every kind, and the command line at it, in this process."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from structlog.testing import capture_logs
from typer.testing import CliRunner

from core.bootstrap import open_tenant
from core.cli.main import app
from core.clock import FIXTURE_START, iso
from core.desk.api_keys import add_api_key
from core.desk.budgets import NewCard, add_rates, set_budget
from core.desk.memory import Draft, change_memory, remember_by_hand
from core.desk.notes import write_note
from core.ports import Rates
from tests.homes import ROLE, Home, built, open_home

OWNER = "owner@example.com"
AS = ("--as", OWNER)
WAITS, HELD, INVITED, PARKED, UNKNOWN = (f"{ROLE}/app-000{number}" for number in range(1, 6))
KEY = f"{UNKNOWN}/invite"
CLOSED = "role-13"


@dataclass(frozen=True)
class Said:
    """What one command said: exit code, output, what went wrong inside it."""

    exit: int
    out: str
    err: str
    broke: BaseException | None

    @property
    def json(self) -> Any:
        """The answer, which is one line."""
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def code(self) -> str | None:
        """The code of a refusal."""
        return str(self.json["refused"]["code"]) if self.exit == 3 else None

    @property
    def sentence(self) -> str:
        """The sentence of a refusal."""
        return str(self.json["refused"]["sentence"])


@dataclass
class CommandLine:
    """The command line at one home."""

    folder: Path
    patch: pytest.MonkeyPatch
    files: Path
    approvals: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def set(self, **environment: str) -> None:
        """Set environment variables."""
        for name, value in environment.items():
            self.patch.setenv(name, value)

    def run(self, *words: str) -> Said:
        """Run one command, asking for JSON."""
        return self.say(*words, "--json")

    def say(self, *words: str) -> Said:
        """Run one command as a person types it."""
        with capture_logs():
            ran = CliRunner().invoke(app, words)
        broke = None if isinstance(ran.exception, SystemExit) else ran.exception
        return Said(ran.exit_code, ran.stdout, ran.stderr, broke)

    def read(self, *words: str) -> Any:
        """Run one command that must succeed, and answer what it said."""
        said = self.run(*words)
        assert (said.exit, said.broke) == (0, None), said
        return said.json

    def write(self, name: str, content: str | bytes) -> str:
        """Write a file to be named in a command."""
        path = self.files / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def rows(self) -> dict[str, list[Any]]:
        """Answer every row that a refused command may not have touched."""
        with closing(sqlite3.connect(self.folder / "daybook.sqlite")) as database:
            tables = (
                *("threads", "approvals", "effects", "events", "people", "roles", "subject_fields", "tenants"),
                *("configs", "api_keys", "memories", "notes", "receipts"),
            )
            return {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in tables}

    def decide(self, verdict: str = "approve") -> tuple[str, ...]:
        """Answer the words of a decision on the thread that waits."""
        approval, version = self.approvals[WAITS]
        return ("decide", approval, verdict, "--seen-version", str(version), "--as", OWNER)


def copy_home(folder: Path) -> Path:
    """Copy the home into a folder, and answer the folder."""
    shutil.copytree(_home()[0], folder / "home")
    (folder / "files").mkdir()
    return folder


def stand_at(folder: Path, patch: pytest.MonkeyPatch) -> CommandLine:
    """Stand at a copied home, whose clock is frozen at the fixture time."""
    at = CommandLine(folder / "home", patch, folder / "files", _home()[1])
    patch.chdir(at.files)
    patch.setattr("typer.testing._get_command", lambda _app: _tree())  # it would be built anew for every command
    at.set(DAYBOOK_HOME=str(at.folder), DAYBOOK_NOW=str(iso(FIXTURE_START)), DAYBOOK_HOLD_SECONDS="900", COLUMNS="200")
    for name in ("DAYBOOK_TENANT", "DAYBOOK_TIMEZONE"):
        patch.delenv(name, raising=False)
    return at


@cache
def _tree() -> Any:
    return typer.main.get_command(app)


@cache
def _home() -> tuple[Path, Mapping[str, tuple[str, int]]]:
    found: dict[str, tuple[str, int]] = {}

    def build(folder: Path) -> Home:
        home = open_home(folder)
        home.add_role()
        home.add_role(CLOSED)
        home.close_role(CLOSED)
        for name in ("Ann", "Ben", "Cleo", "Dai", "Eve"):
            home.apply(f"{name} Example", f"{name.lower()}@example.com")
        home.run()
        home.decide(INVITED)
        home.decide(UNKNOWN)
        home.run()
        home.park(PARKED)
        owner = home.actor
        home.app.act(owner, "key add", lambda tx: add_api_key(tx, owner, "calendar", ["events"]))
        home.change("UPDATE effects SET status = 'unknown', result_ref = NULL WHERE key = :key", key=KEY)
        home.change("UPDATE threads SET status = 'parked', parked_why = 'effect_unknown' WHERE id = :id", id=UNKNOWN)
        home.app.act(owner, "budget set", lambda tx: set_budget(tx, owner, CLOSED, 50 * 10**12))
        card = NewCard("claude-of-ours", Rates(0, 2, 2, 2, 2, 8), FIXTURE_START.date(), "The course")
        home.app.act(owner, "rates add", lambda tx: add_rates(tx, owner, card))
        home.with_hold(900).decide(HELD)
        _remember(home)
        with home.app.write() as tx:
            open_tenant(tx, "atlas", "Atlas", FIXTURE_START, starts_at=FIXTURE_START)
        found.update({name: (home.question(name).id, home.question(name).version) for name in (WAITS, HELD, INVITED)})
        return home

    return built("command-line", build), found


def _remember(home: Home) -> None:
    """One record that may be read, one in quarantine, one forgotten; one note that nobody approved yet."""
    actor = home.actor
    drafts = [Draft("fact", "k-1", "It was dry.", 1.0), Draft("fact", "k-2", "It hailed.", 1.0, origin="tool")]
    drafts.append(Draft("fact", "k-4", "It thundered.", 1.0))
    *_, gone = [remember_by_hand(home.app.write, home.app.desk, actor, draft) for draft in drafts]
    home.app.act(actor, "forget", lambda tx: change_memory(tx, actor, "forget", gone.id))
    home.app.act(actor, "note", lambda tx: write_note(tx, home.app.desk, actor, WAITS, "Ask about the portfolio."))
