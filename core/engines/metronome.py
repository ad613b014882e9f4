"""APScheduler as a metronome that a clock set back does not stop.

Its jobs are held against the machine's clock; set back by two minutes, they would all be two minutes away.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from apscheduler.schedulers.background import BackgroundScheduler

LONGEST_WAIT = 1.0


class Metronome(BackgroundScheduler):  # type: ignore[misc] # the library has no types
    """Runs jobs at their intervals in UTC, coalesced, one instance of each at a time; none is ever too late to run."""

    def __init__(self) -> None:
        options = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        super().__init__(timezone=UTC, job_defaults=options)

    def every(self, seconds: float, job: Any, *, at_once: bool = False) -> None:
        """Run a job at an interval."""
        first = {"next_run_time": datetime.now(UTC)} if at_once else {}
        self.add_job(job, "interval", seconds=seconds, **first)

    def _process_jobs(self) -> float:
        """Do what is due, and never wait for long: the clock may be set while it waits."""
        self._heed_a_clock_set_back()
        wait = super()._process_jobs()
        return LONGEST_WAIT if wait is None else min(float(wait), LONGEST_WAIT)

    def _heed_a_clock_set_back(self) -> None:
        now = datetime.now(UTC)
        for job in self.get_jobs():
            # The next run is never further away than the interval, unless the clock went back; nor does it come twice.
            latest = now + job.trigger.interval
            if job.next_run_time is not None and job.next_run_time > latest:
                job.modify(next_run_time=latest)
