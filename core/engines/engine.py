"""What every engine is to the doors: a worker that is started and stopped, or driven by hand until nothing is due."""

from __future__ import annotations

from typing import Protocol


class Engine(Protocol):
    """One worker of a home, with whatever drives it."""

    @property
    def worker_id(self) -> str:
        """The id of this worker's row."""
        ...

    def run_until_idle(self) -> int:
        """Drive everything that is due now, and answer how many claims that took; waits for no living leases."""
        ...

    def start(self) -> None:
        """Drive from now on."""
        ...

    def stop(self) -> None:
        """Wait for the step in hand, and leave no row that says this worker lives."""
        ...
