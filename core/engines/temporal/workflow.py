"""The workflow of one thread. It decides nothing: each time it asks the database where the thread stands.

It is replayed over histories that older code wrote. A change to what it asks, waits for or in which order needs
`workflow.patched`; `tests/contracts/engines` replays recorded histories over it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy

ADVANCE = "advance"
THREAD = "thread"
# A worker that gave no sign for so long has died, or hangs; what it held is carried on by another.
HEARTBEAT = timedelta(seconds=10)
LONGEST_STEP = timedelta(hours=1)
AGAIN = RetryPolicy(
    initial_interval=timedelta(seconds=1), backoff_coefficient=2.0, maximum_interval=timedelta(seconds=30)
)
# A history is kept short, so that a worker that meets it anew reads little.
LONGEST_HISTORY = 250


@dataclass(frozen=True)
class Place:
    """A thread, and the checkpoint from which it is to go on. Ids only: all else stands in its row."""

    tenant: str
    thread: str
    checkpoint: int = 0


@dataclass(frozen=True)
class Standing:
    """Where a thread stands: its checkpoint, and for how long it sleeps.

    `sleep_ms` is 0 where it goes on at once and None where only a nudge wakes it.
    """

    checkpoint: int
    sleep_ms: int | None
    has_ended: bool = False


@workflow.defn(name=THREAD)
class ThreadWorkflow:
    """Sleeps and listens for one thread."""

    def __init__(self) -> None:
        self._nudges = 0

    @workflow.signal
    def nudge(self) -> None:
        """Look at the thread again; what happened stands in rows."""
        self._nudges += 1

    @workflow.run
    async def run(self, place: Place) -> None:
        """Carry the thread on, a step at a time, until it has ended."""
        while True:
            seen = self._nudges
            standing = await self._advance(place)
            place = replace(place, checkpoint=standing.checkpoint)
            if standing.has_ended and self._nudges == seen:
                return
            if not standing.has_ended and standing.sleep_ms != 0:
                await self._sleep(standing.sleep_ms, seen)
            if workflow.info().get_current_history_length() > LONGEST_HISTORY:
                await workflow.wait_condition(workflow.all_handlers_finished)
                workflow.continue_as_new(place)

    async def _advance(self, place: Place) -> Standing:
        standing: Standing = await workflow.execute_activity(
            ADVANCE,
            place,
            result_type=Standing,
            start_to_close_timeout=LONGEST_STEP,
            heartbeat_timeout=HEARTBEAT,
            retry_policy=AGAIN,
        )
        return standing

    async def _sleep(self, sleep_ms: int | None, seen: int) -> None:
        timeout = None if sleep_ms is None else timedelta(milliseconds=sleep_ms)
        try:
            await workflow.wait_condition(lambda: self._nudges != seen, timeout=timeout)
        except TimeoutError:
            return
