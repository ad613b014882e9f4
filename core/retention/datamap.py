"""The data map (contract C9): what is kept, of which kind, whose, until when, in which form, and what erases it.

One map of every column (columns.py), every field of every saved state schema (the schemas' own metadata) and every
file store (stores.py). Notice, retention page, subject export and eraser are read off it.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator
from functools import cache

from core.retention.columns import COLUMNS
from core.retention.entry import Entry, Eraser, Form, Life, Whose
from core.retention.stores import IN_MEMORY, STORES
from core.steps import Kind, Rule, Workflow

_ERASED_BY = {Rule.STEP: Eraser.STEP}


def data_map(workflows: Iterable[Workflow]) -> tuple[Entry, ...]:
    """Answer the whole map for the workflows that are loaded."""
    states = [entry for workflow in workflows for entry in map_state(workflow)]
    return (*map_columns(), *states, *map_stores())


@cache
def map_columns() -> tuple[Entry, ...]:
    """Answer the map's rows for the database: `store` is the table, `field` the column."""
    return tuple(entry for group in COLUMNS for entry in group.entries())


@cache
def map_stores() -> tuple[Entry, ...]:
    """Answer the map's rows for files: `store` is a pattern under the home."""
    return tuple(entry for group in STORES for entry in group.entries())


def list_patterns() -> tuple[str, ...]:
    """Answer the patterns of all files that a home may hold."""
    return tuple(dict.fromkeys(entry.store for entry in map_stores() if not entry.store.startswith(IN_MEMORY)))


def map_state(workflow: Workflow) -> Iterator[Entry]:
    """Yield the map's rows for a saved state: `store` as in `state:screening@1`, `field` as in `scores.quote`."""
    store = f"state:{workflow.name}@{workflow.version}"
    for field in dataclasses.fields(workflow.state):
        if "rule" not in field.metadata:
            continue
        rule, kind = Rule(field.metadata["rule"]), Kind(field.metadata["kind"])
        whose = Whose.SUBJECT if field.metadata["subject"] else Whose.NOBODY
        erased_by = _ERASED_BY.get(rule, Eraser.SWEEP)
        for path in _paths(workflow.state, field.name):
            yield Entry(store, path, kind, whose, rule, erased_by, Form.SEALED)


def list_unclassified(schema: type) -> list[str]:
    """Answer the fields of a state schema that carry no retention rule."""
    return [field.name for field in dataclasses.fields(schema) if "rule" not in field.metadata]


def _paths(schema: type, name: str) -> Iterator[str]:
    yield name
    for inner in _dataclasses_in(typing.get_type_hints(schema)[name]):
        for field in dataclasses.fields(inner):
            yield from (f"{name}.{path}" for path in _paths(inner, field.name))


def _dataclasses_in(hint: object) -> Iterator[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield hint
    for argument in typing.get_args(hint):
        yield from _dataclasses_in(argument)


def compare_columns(columns: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Answer the columns (table, column) that are not on the map, and those of the map that are not there."""
    there = {f"{table}.{column}" for table, column in columns}
    mapped = {f"{entry.store}.{entry.field}" for entry in map_columns()}
    return sorted(there - mapped), sorted(mapped - there)


__all__ = [
    "Entry",
    "Eraser",
    "Form",
    "Life",
    "Whose",
    "compare_columns",
    "data_map",
    "list_patterns",
    "list_unclassified",
    "map_columns",
    "map_state",
    "map_stores",
]
