"""What a process has gathered to send as one batch. It is working state: gone with the process, and asked anew then."""

from __future__ import annotations

import threading
from collections import defaultdict

from core.ports import Request


class Gathered:
    """What this process gathered and has not sent: by tenant, each call's request under the call's id."""

    def __init__(self) -> None:
        self._requests: dict[str, dict[str, Request]] = defaultdict(dict)
        self._lock = threading.Lock()

    def add(self, tenant_id: str, call_id: str, request: Request) -> None:
        """Keep one request until it is sent."""
        with self._lock:
            self._requests[tenant_id][call_id] = request

    def holds(self, tenant_id: str, call_id: str) -> bool:
        """Say whether a call is still to be sent by this process."""
        with self._lock:
            return call_id in self._requests[tenant_id]

    def take(self, tenant_id: str) -> dict[str, Request]:
        """Answer what was gathered, and begin anew."""
        with self._lock:
            return self._requests.pop(tenant_id, {})
