"""What takes a second or more on the workshop's page runs beside it: two at a time, one for each team and exercise.

A page run starts it and looks at it; what came of it is a tick of the team, written when it ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import structlog

from core.clock import pulse
from core.errors import DaybookError

log = structlog.get_logger()
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Job:
    """One exercise of one team: waiting (so many before it), running, done with what came of it, or failed."""

    state: Literal["waiting", "running", "done", "failed"]
    before: int = 0
    result: Any = None
    sentence: str = ""


class Bench:
    """Runs exercises in the order they were asked for."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._pool = ThreadPoolExecutor(max_workers=at_once, thread_name_prefix="workshop")
        self._looking = threading.Lock()
        self._jobs: dict[tuple[str, str], tuple[float, Future[Any]]] = {}

    def start(self, tenant_id: str, name: str, work: Callable[[], Any]) -> bool:
        """Let it run, unless this team's is running already; say whether it was started."""
        with self._looking:
            known = self._jobs.get((tenant_id, name))
            if known is not None and not known[1].done():
                return False
            self._jobs[tenant_id, name] = (pulse(), self._pool.submit(work))
            return True

    def look(self, tenant_id: str, name: str) -> Job | None:
        """Answer how it stands, or None where this team never asked for it."""
        with self._looking:
            known = self._jobs.get((tenant_id, name))
            if known is None:
                return None
            asked_at, future = known
            before = sum(at < asked_at and not one.done() and not one.running() for at, one in self._jobs.values())
        if not future.done():
            return Job("running" if future.running() else "waiting", before)
        error = future.exception()
        if error is None:
            return Job("done", result=future.result())
        if not isinstance(error, DaybookError):
            log.error("an exercise of the workshop failed", tenant=tenant_id, exercise=name, error=type(error).__name__)
        return Job("failed", sentence=getattr(error, "sentence", "It broke; the server's log says more."))

    def is_busy(self, tenant_id: str) -> bool:
        """Say whether anything of a team waits or runs."""
        with self._looking:
            return any(tenant == tenant_id and not one.done() for (tenant, _), (_, one) in self._jobs.items())

    def forget(self, tenant_id: str) -> None:
        """Forget what came of a team's exercises."""
        with self._looking:
            gone = [key for key, (_, one) in self._jobs.items() if key[0] == tenant_id and one.done()]
            for key in gone:
                del self._jobs[key]

    def wait(self, tenant_id: str, name: str) -> Job | None:
        """Wait until it has ended, and answer it."""
        with self._looking:
            known = self._jobs.get((tenant_id, name))
        if known is not None:
            known[1].exception()
        return self.look(tenant_id, name)


BENCH = Bench()
