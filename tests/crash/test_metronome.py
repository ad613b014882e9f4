"""The metronome under clocks that are set back while it runs: it goes on beating and asking what is due."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from core.engines import worker
from core.engines.local import LocalEngine
from tests.crash.records import letters
from tests.homes import Home, open_home

START = datetime(2026, 8, 20, 9, tzinfo=UTC)
WITHIN = 8.0
# Two minutes of a stopped metronome are long enough to be told from one beat, and a beat short enough to be waited for.
BEAT = 0.2
pytestmark = pytest.mark.crash
Clock = time_machine.Traveller


@pytest.fixture
def clock() -> Iterator[Clock]:
    """The machine's clock, which a test sets; what measures elapsed time goes on as it does."""
    with time_machine.travel(START, tick=True) as coordinates:
        yield coordinates


@pytest.fixture
def home(tmp_path: Path, clock: Clock) -> Iterator[Home]:
    opened = open_home(tmp_path / "home", now=None)  # type: ignore[arg-type]
    opened.add_role()
    yield opened
    opened.app.close()


@pytest.fixture
def running(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalEngine]:
    """A worker with its metronome, beating fast."""
    monkeypatch.setattr(worker, "PULSE_SECONDS", BEAT)
    engine = home.app.engine("test")
    engine.start()
    yield engine
    engine.stop()


def becomes(true: Callable[[], bool]) -> bool:
    """Say whether something comes to be true; only a running worker is waited for in this way."""
    until = time.monotonic() + WITHIN
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.02)
    return False


def heard(home: Home) -> float:
    ((at,),) = home.look("SELECT pulse FROM workers WHERE kind = 'test'")
    return float(str(at))


@pytest.mark.case("T09")
def test_a_worker_goes_on_beating_when_the_clock_is_set_back(home: Home, running: LocalEngine, clock: Clock) -> None:
    assert becomes(lambda: bool(home.look("SELECT 1 FROM workers WHERE kind = 'test'")))

    clock.move_to(datetime.now(UTC) - timedelta(minutes=2))
    before = heard(home)

    assert becomes(lambda: heard(home) > before + 2 * BEAT)


@pytest.mark.case("T09")
def test_reminders_that_a_clock_set_back_overtook_go_once_each_when_it_comes_to_their_time(
    home: Home, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(3)]
    home.run()
    for one in ids:
        home.decide(one)
    home.run()
    due = max(home.thread(one).thread.wake_at or START for one in ids)
    clock.move_to(due - timedelta(seconds=30))
    engine = home.app.engine("test")
    engine.start()
    try:
        clock.move_to(due - timedelta(seconds=30, minutes=2))
        assert not [key for key in letters(home) if key.endswith("/reminder")]

        clock.move_to(due)
        assert becomes(lambda: sum(key.endswith("/reminder") for key in letters(home)) == len(ids))
    finally:
        engine.stop()

    assert letters(home) == {f"{one}/{name}": 1 for one in ids for name in ("invite", "reminder")}
