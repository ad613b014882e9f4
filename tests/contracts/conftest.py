"""Every contract holds on every database. The command line's own tests are told once, on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.command_line import CommandLine, copy_home, stand_at
from tests.databases import POSTGRES, SQLITE, homes_on
from tests.homes import close_homes


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test both databases, but for the shapes and refusals of commands."""
    if "_homes_on" in metafunc.fixturenames and ".engines." not in metafunc.module.__name__:  # those name their own
        once = metafunc.module.__name__.rsplit(".", 1)[1].startswith("test_command")
        metafunc.parametrize("_homes_on", [SQLITE] if once else [SQLITE, POSTGRES], indirect=True)


@pytest.fixture(autouse=True)
def _homes_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the homes of a test live on one of the databases."""
    with homes_on(request.param):
        yield
        close_homes()


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
