"""Homes for the command line: one for each test, and one shared by tests that change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contracts.command_line import CommandLine, copy_home, stand_at


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A home of the test's own."""
    return stand_at(copy_home(tmp_path), monkeypatch)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_home(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def still(shared: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A home shared by tests of commands that change nothing."""
    return stand_at(shared, monkeypatch)
