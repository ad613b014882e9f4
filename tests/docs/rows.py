"""One row of docs/seeds.md: something a seed says, and where it can be seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`name` is what a test's marker carries; `place` is empty until the page or command is there."""

    name: str
    says: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one kind, under one heading."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Seed:
    """One source text."""

    title: str
    groups: tuple[Group, ...]


def group(title: str, prefix: str, *rows: tuple[str, ...]) -> Group:
    """Make a group whose rows are (name's end, what it says, place if there is one)."""
    return Group(title, tuple(Row(f"{prefix}.{name}", *rest) for name, *rest in rows))
