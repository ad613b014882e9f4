"""Liveness time for tests of pages."""

from __future__ import annotations


class Pulse:
    """Liveness time that a test moves."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at += seconds
