"""The metronome's beat under a clock that is corrected again and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from core.engines.metronome import Metronome

START = datetime(2026, 8, 20, 9, tzinfo=UTC)
QUARTER = timedelta(minutes=15)
WITHIN = 8.0


def becomes(true: Callable[[], bool]) -> bool:
    """Say whether something comes to be true; only a running metronome is waited for in this way."""
    until = time.monotonic() + WITHIN
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.002)
    return False


@pytest.mark.case("T08")
def test_a_poll_every_quarter_is_neither_skipped_nor_doubled_by_a_clock_that_is_set_back_every_hour():
    polls: list[datetime] = []
    metronome = Metronome()
    with time_machine.travel(START, tick=False) as clock:
        metronome.every(QUARTER.total_seconds(), lambda: polls.append(datetime.now(UTC)))
        metronome.start()
        try:
            for hour in range(24):
                step = timedelta(seconds=1 + hour % 2)
                clock.shift(-step)  # right after a poll, when the next is furthest away
                metronome.wakeup()
                # Whoever did not see the step waits by so much longer, and no more.
                for so_long in (QUARTER + step, QUARTER, QUARTER, QUARTER):
                    due = len(polls) + 1
                    clock.shift(so_long)
                    metronome.wakeup()
                    assert becomes(lambda due=due: len(polls) == due), (hour, polls[-2:])  # type: ignore[misc]
        finally:
            metronome.shutdown()

    assert len(polls) == 96
