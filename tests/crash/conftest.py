"""Processes for tests that kill them, and homes with approved threads."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crash.processes import Nursery, Signals
from tests.databases import POSTGRES, SQLITE, homes_on
from tests.homes import Home, close_homes, open_home

LONGEST_SECONDS = 240  # a guard against what hangs; a busy machine is no failure


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """Fail a test that hangs."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"this test ran for more than {LONGEST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True, params=[SQLITE, POSTGRES])
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Which database the homes of a test live on."""
    with homes_on(request.param):
        yield request.param
        close_homes()


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    made = Nursery(tmp_path_factory.mktemp("nursery") / "log")
    yield made
    made.close()


@pytest.fixture
def signals(tmp_path: Path) -> Iterator[Signals]:
    made = Signals(tmp_path / "signals")
    yield made
    made.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = open_home(tmp_path / "home")
    opened.add_role()
    yield opened
    opened.app.close()


@pytest.fixture
def reviewed(home: Home) -> Callable[[int], list[str]]:
    """Bring so many applicants to their question."""

    def bring(count: int) -> list[str]:
        ids = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(count)]
        home.run()
        return ids

    return bring


@pytest.fixture
def approved(home: Home, reviewed: Callable[[int], list[str]]) -> Callable[[int], list[str]]:
    """Bring so many applicants to an approval that nobody has carried out."""

    def bring(count: int) -> list[str]:
        ids = reviewed(count)
        for thread_id in ids:
            home.decide(thread_id)
        return ids

    return bring
