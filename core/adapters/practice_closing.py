"""The practice model's closing line of a job: a count of what it was sent, and no judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.steps import Item

_WORDS = {"records": "record", "note": "note", "memory": "memory", "pointers": "pointer"}


def closing_line(items: Sequence[Item]) -> str:
    """Say what was looked at; how each question stands is for the rows to say."""
    counts = Counter(item.slot for item in items)
    said = [f"{counts[slot]} {_plural(word, counts[slot])}" for slot, word in _WORDS.items() if counts[slot]]
    return f"Looked at {', '.join(said)}."


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
