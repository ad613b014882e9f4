"""What a worker has in hand: which threads each of its lanes claimed, and which step each performs right now.

A lane is one thread of this process that drives what it claimed; a worker has one, or several side by side.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from core.clock import pulse
from core.db.locks import LifeLock
from core.threads.rows import Thread


@dataclass(slots=True)
class Hand:
    """What one lane claimed, what it performs, and when it last gave a sign."""

    claimed: Sequence[Thread]
    performing: str
    progressed_at: float


class Hands:
    """The hands of one worker. `life` names all that is performed, so that a death is counted against it."""

    def __init__(self, life: LifeLock | None) -> None:
        self._life = life
        self._of_lane: dict[int, Hand] = {}
        self._marking = threading.Lock()
        self._turns = threading.Condition()
        self._together, self._alone = 0, 0

    @contextmanager
    def turn(self, *, alone: bool) -> Iterator[None]:
        """Wait for a turn: beside others, or alone, for what has killed its process again and again."""
        with self._turns:
            if alone:
                self._alone += 1  # nobody begins while somebody waits to be alone
                self._turns.wait_for(lambda: self._together == 0)
            else:
                self._turns.wait_for(lambda: self._alone == 0)
            self._together += 1
        try:
            yield
        finally:
            with self._turns:
                self._together -= 1
                self._alone -= int(alone)
                self._turns.notify_all()

    @contextmanager
    def holding(self, claimed: Sequence[Thread]) -> Iterator[None]:
        """Say that this lane holds these threads until the block ends."""
        lane = threading.get_ident()
        with self._marking:
            self._of_lane[lane] = Hand(claimed, "", pulse())
        try:
            yield
        finally:
            with self._marking:
                del self._of_lane[lane]

    def mark(self, thread: Thread) -> None:
        """Note that this lane performs a step of a thread now."""
        with self._marking:
            hand = self._of_lane.get(threading.get_ident())
            if hand is None:
                return
            hand.performing, hand.progressed_at = f"{thread.tenant_id} {thread.id}", pulse()
            if self._life is not None:
                self._life.mark([one.performing for one in self._of_lane.values() if one.performing])

    def list_hanging(self, longest: float) -> list[Thread]:
        """Answer what is held by lanes that gave no sign for so many seconds."""
        limit = pulse() - longest
        with self._marking:
            return [one for hand in self._of_lane.values() if hand.progressed_at <= limit for one in hand.claimed]
