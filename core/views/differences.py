"""What differs between two states, field by field: what lies in a field is held against what lay in it before.

A list of things that have an `id` or a `number` is compared thing by thing, whatever their order; other lists are one
value. What a field held that was not there is ABSENT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.steps import Json

ABSENT = object()
_NAMED_BY = ("number", "id")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place that differs: its path from the field down, what stood there, what stands there. ABSENT for nothing."""

    path: tuple[str, ...]
    before: Json
    after: Json

    @property
    def field(self) -> str:
        """The state's field in which it lies."""
        return self.path[0]


def list_differences(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[Difference]:
    """Answer what differs, in the order in which the fields stand."""
    return list(_within((), before, after))


def _within(path: tuple[str, ...], before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Difference]:
    for name in {**before, **after}:
        yield from _at((*path, str(name)), before.get(name, ABSENT), after.get(name, ABSENT))


def _at(path: tuple[str, ...], before: Json, after: Json) -> Iterator[Difference]:
    if before == after and type(before) is type(after):
        return
    was, now = _named(before), _named(after)
    if was is not None and now is not None and (was or now):
        yield from _within(path, was, now)
    else:
        yield Difference(path, before, after)


def _named(value: Json) -> Mapping[str, Json] | None:
    """Answer an object, or a list of things by their name; None for what is one value."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, list):
        return None
    for name in _NAMED_BY:
        if all(isinstance(one, Mapping) and name in one for one in value):
            things = {str(one[name]): one for one in value}
            return things if len(things) == len(value) else None
    return None
