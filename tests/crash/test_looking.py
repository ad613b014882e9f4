"""Looking changes nothing, whatever the loaded code knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import inspect
from typer.testing import CliRunner

from core.bootstrap import wiring
from core.cli.main import app
from tests.homes import Home

Bring = Callable[[int], list[str]]
LOOKS = (
    "threads", "thread role-14/app-0001", "queue", "effects", "preflight", "verify", "doctor", "ask Ann",
    "clock show", "person list", "tenant list", "role list",
)  # fmt: skip


@pytest.fixture
def look(home: Home, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Give one command, as a script would."""
    monkeypatch.setenv("DAYBOOK_HOME", str(home.app.home))
    monkeypatch.setenv("DAYBOOK_NOW", "2026-08-22T09:00:00Z")
    if home.app.settings.database_url is not None:
        monkeypatch.setenv("DAYBOOK_DATABASE_URL", home.app.settings.database_url)
    monkeypatch.chdir(home.app.home)

    def run(command: str) -> Any:
        answer = CliRunner().invoke(app, [*command.split(" ", 1), "--json"], catch_exceptions=False)
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)

    return run


def checksum(home: Home) -> dict[str, str]:
    """Answer a checksum of every table and of every file that is no database's own."""
    names = inspect(home.app.store.engine).get_table_names()
    tables = {name: sha256(repr(home.look(f'SELECT * FROM "{name}"')).encode()).hexdigest() for name in names}
    kept = (path for path in home.app.home.rglob("*") if path.is_file() and ".sqlite" not in path.name)
    return tables | {str(path): sha256(path.read_bytes()).hexdigest() for path in kept}


@pytest.mark.parametrize("command", LOOKS)
def test_looking_changes_nothing(command: str, home: Home, approved: Bring, look: Callable[[str], Any]) -> None:
    approved(3)
    home.run()
    before = checksum(home)

    look(command)

    assert checksum(home) == before


@pytest.mark.case("J09")
def test_a_command_that_lacks_the_workflow_lists_its_timers_and_changes_nothing(
    home: Home, approved: Bring, look: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = approved(3)
    home.run()
    before = checksum(home)
    monkeypatch.setattr(wiring, "WORKFLOWS", {})

    listed = [one["id"] for one in look("threads")]
    blocked = [one["thread"] for one in look("preflight")["blocked"]]

    assert (sorted(listed), blocked) == (ids, ids)
    assert checksum(home) == before
