"""The kinds of memory there are. A kind that is not here cannot be remembered: nobody set how long it may live."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from core.errors import MemoryRefused


@dataclass(frozen=True, slots=True)
class MemoryKind:
    """`longest` is the longest life a record may have, whatever its rule says.

    `has_one_value`: two live records under one key contradict each other and a person is asked. Otherwise each tells of
    another occasion, and the newest is read.
    """

    longest: timedelta
    has_one_value: bool


KINDS = {
    "application": MemoryKind(timedelta(days=548), has_one_value=False),
    "override": MemoryKind(timedelta(days=366), has_one_value=False),
    "fact": MemoryKind(timedelta(days=366), has_one_value=True),
    "preference": MemoryKind(timedelta(days=183), has_one_value=True),
    "observation": MemoryKind(timedelta(days=90), has_one_value=True),
}


def get_kind(name: str) -> MemoryKind:
    """Answer a kind, or raise MemoryRefused."""
    if name not in KINDS:
        raise MemoryRefused(
            f"No longest life is set for memory of kind {name[:40]!r}; the kinds are {', '.join(KINDS)}."
        )
    return KINDS[name]
