"""docs/seeds.md: what the three seeds ask for, the test that shows it, and where a reader can see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.docs.markers import claims
from tests.docs.rows import Row, Seed
from tests.docs.seed_agent import AGENT
from tests.docs.seed_atlas import ATLAS
from tests.docs.seed_screen import SCREEN

SEEDS = (SCREEN, AGENT, ATLAS)
NOT_YET = "not yet"
HEAD = """<!-- Written by `make docs`; change tests/docs or a test's marker, never this page. -->

# The seeds, row by row

Daybook is built from three texts. Each line below is something one of them says: a checkpoint, an
acceptance check, a failure, a boundary or a number. A test claims its row with
`@pytest.mark.seed("...")`. "not yet" means just that. Commands are short for `python -m core ...`.
"""


def render(root: Path) -> tuple[str, list[str]]:
    """Answer the page, and a sentence for each marker that cannot be read or names no row."""
    tests, problems = claims(root)
    return page(SEEDS, tests), problems + unknown(SEEDS, tests)


def page(seeds: Sequence[Seed], tests: Mapping[str, Sequence[str]]) -> str:
    """Answer the page for these seeds and the tests that claim their rows."""
    rows = rows_of(seeds)
    shown = sum(row.name in tests for row in rows)
    parts = [HEAD, f"{shown} of {len(rows)} rows have a test.\n"]
    for seed in seeds:
        parts.append(f"## {seed.title}\n")
        for group in seed.groups:
            lines = [_line(row, tests.get(row.name, ())) for row in group.rows]
            head = ["| row | what it says | test | page or command |", "| --- | --- | --- | --- |"]
            parts.append("\n".join([f"### {group.title}\n", *head, *lines, ""]))
    return "\n".join(parts)


def unknown(seeds: Sequence[Seed], tests: Mapping[str, Sequence[str]]) -> list[str]:
    """Answer a sentence for each claimed name that is no row."""
    names = {row.name for row in rows_of(seeds)}
    return [
        f"{test} claims the seed row {name!r}, which there is not; rows stand in docs/seeds.md."
        for name in sorted(tests.keys() - names)
        for test in tests[name]
    ]


def rows_of(seeds: Sequence[Seed]) -> list[Row]:
    return [row for seed in seeds for group in seed.groups for row in group.rows]


def _line(row: Row, tests: Sequence[str]) -> str:
    shown = "<br>".join(f"`{test}`" for test in tests) or NOT_YET
    return f"| {row.name} | {row.says} | {shown} | {row.place or NOT_YET} |"
