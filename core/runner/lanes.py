"""Lanes: several threads of one tenant side by side, each alone from its claim to its next wait.

For models that leave the machine. A call takes seconds, and a worker that waited for one after another would need half
an hour for 150 applicants. Each lane claims one thread, performs it, and settles it before it claims the next, so that
an answer that was paid for waits for no other lane's. What killed its process again and again is taken beside nobody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from core.db.store import Store
from core.runner.runner import GROUP, Runner
from core.threads.claim import count_due


class Lanes:
    """Drives one worker's lanes, `most` at once."""

    def __init__(self, runner: Runner, store: Store, most: int) -> None:
        self._runner = runner
        self._store = store
        self._most = most

    def run_due(self, tenant_id: str, now: Callable[[], datetime]) -> int:
        """Drive up to GROUP of the tenant's due threads; answers how many were claimed. Then it is another's turn."""
        lanes = self._count_lanes(tenant_id, now())
        if lanes < 2:
            return self._runner.run_due(tenant_id, now())
        turns = threading.Semaphore(GROUP)
        try:
            with ThreadPoolExecutor(lanes, thread_name_prefix="lane") as pool:
                claimed = sum(pool.map(lambda _: self._drive(tenant_id, now, turns), range(lanes)))
        except (KeyboardInterrupt, SystemExit):
            self._runner.is_stopping = True
            raise
        return claimed or self._runner.run_due(tenant_id, now())

    def _count_lanes(self, tenant_id: str, now: datetime) -> int:
        if self._most == 1:
            return 1
        with self._store.read() as conn:
            return count_due(conn, tenant_id, now, most=self._most)

    def _drive(self, tenant_id: str, now: Callable[[], datetime], turns: threading.Semaphore) -> int:
        total = 0
        while not self._runner.is_stopping and turns.acquire(blocking=False):
            claimed = self._runner.run_due(tenant_id, now(), beside_others=True)
            if claimed == 0:
                break
            total += claimed
        return total
