"""The Atlas lab: the demo's job paused at review, and the command line at it, in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from core.cli.main import app
from core.effects.journal import Journal
from core.workshop.atlas import JOB, OTHER, TENANT, seed_atlas
from tests.contracts.command_line import CommandLine
from tests.databases import copy_home
from tests.homes import Home, built, open_home

OWNER = "owner@example.com"
EXPORT = f"{JOB}/export/44"
KEY = "campaign/C-208"


@dataclass
class Lab:
    """The lab's home, paused: d_08 pending at version 2, export 44 read."""

    at: CommandLine

    def read(self, *words: str) -> Any:
        """Run one command that must succeed, and answer what it said."""
        return self.at.read(*words)

    def context(self, *words: str) -> Any:
        """Answer a packet's manifest."""
        return self.read("context", JOB, *words)

    def question(self) -> Any:
        """Answer the lab's one approval, whatever became of it."""
        (approval,) = self.read("thread", JOB)["approvals"]
        return approval

    def reject(self) -> Any:
        """Reject d_08 as it stands in the queue."""
        return self.decide("reject", self.question()["version"])

    def decide(self, verdict: str, version: int) -> Any:
        """Answer d_08 at a version."""
        approval = self.question()["approval"]
        return self.read("decide", approval, verdict, "--seen-version", str(version), "--as", OWNER)

    def work(self) -> None:
        """Let a worker carry on all that is due."""
        self.at.run("worker", "--until-idle", "--tenant", TENANT)

    def memories(self) -> dict[str, Any]:
        """Answer the tenant's records by their state."""
        return {one["state"]: one for one in self.read("memory", "list")}

    def remember(self, text: str, *words: str) -> Any:
        """Keep a record under the campaign's key."""
        return self.read("memory", "remember", "fact", KEY, text, "--confidence", "0.9", *words, "--as", OWNER)

    def audit(self, act: str) -> list[Mapping[str, Any]]:
        """Answer the tenant's audit entries of one act."""
        with self.home() as home:
            return home.audit(act)

    def reads(self) -> int:
        """Count how often the export was let out to be read, by the journal beside the database."""
        lines = Journal(self.at.folder / "effect-journal.log").read()
        return sum(line.key == EXPORT and line.phase == "sending" for line in lines)

    def take_export_away(self) -> None:
        """Remove the export from outside: whoever reads it again finds nothing."""
        (export,) = (self.at.folder / "inbox" / TENANT).iterdir()
        export.unlink()

    def home(self) -> Opened:
        """Open the lab's home in its tenant."""
        return Opened(self.at.folder)


@dataclass
class Opened:
    """The lab's home, open for as long as the block runs."""

    folder: Path

    def __enter__(self) -> Home:
        self._home = open_home(self.folder, tenant_id=TENANT)
        return self._home

    def __exit__(self, *_: object) -> None:
        self._home.app.close()


def open_lab(folder: Path, patch: pytest.MonkeyPatch) -> Lab:
    """Copy the lab into a folder and stand at it; its own clock stands at the fixture time."""
    copy_home(_built(), folder / "home")
    for name in ("DAYBOOK_NOW", "DAYBOOK_HOLD_SECONDS", "DAYBOOK_TIMEZONE"):
        patch.delenv(name, raising=False)
    patch.setattr("typer.testing._get_command", lambda _app: _tree())
    patch.chdir(folder)
    at = CommandLine(folder / "home", patch, folder)
    at.set(DAYBOOK_HOME=str(at.folder), DAYBOOK_TENANT=TENANT, COLUMNS="200")
    return Lab(at)


@cache
def _tree() -> Any:
    return typer.main.get_command(app)


@cache
def _built() -> Path:
    def build(folder: Path) -> Home:
        home = open_home(folder)
        assert seed_atlas(home.app, fresh=False)
        return home

    return built("atlas", build)


def used(context: Any, source: str) -> list[Any]:
    """Answer the items of a packet that come from one table."""
    return [one for one in context["items"] if one["source"] == source]


def left_out(context: Any) -> dict[str, str]:
    """Answer what was considered and left out of a packet: the reason by id."""
    return {one["id"]: one["reason"] for one in context["filtered"]}


def foreign_ids(lab: Lab) -> list[str]:
    """Answer the ids of the other tenant's records, as only that tenant sees them."""
    return [one["id"] for one in lab.read("memory", "list", "--tenant", OTHER)]


def as_text(value: Any) -> str:
    """Write an answer as text, to look for what may not be in it."""
    return json.dumps(value, ensure_ascii=False)
