"""What differs between two versions of a rubric, in the order in which a person reads one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.steps import Json

Rubric = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `place` is criterion, anchor, bands, maximum or notes; `number` is the criterion's.

    `before` or `after` is empty where nothing stood or stands there; `points` names the anchor.
    """

    place: Literal["criterion", "anchor", "bands", "maximum", "notes"]
    number: int | None
    points: str | None
    before: str
    after: str

    @property
    def sentence(self) -> str:
        """Say it: `criterion 6: added "Agency work, 0 to 5"`."""
        where = self.place if self.number is None else f"criterion {self.number}"
        where += f", {self.points} points" if self.points is not None else ""
        if not self.before:
            return f'{where}: added "{self.after}"'
        if not self.after:
            return f'{where}: taken out "{self.before}"'
        return f'{where}: "{self.before}" → "{self.after}"'


def list_changes(before: Rubric, after: Rubric) -> tuple[Change, ...]:
    """Answer every difference; criteria are matched by their number."""
    return tuple(_changes(before, after))


def _changes(before: Rubric, after: Rubric) -> Iterator[Change]:
    old, new = ({one["number"]: one for one in rubric["criteria"]} for rubric in (before, after))
    for number in sorted({**old, **new}):
        yield from _of_criterion(number, old.get(number), new.get(number))
    for place, say in (("bands", say_bands), ("maximum", _say_maximum), ("notes", _say_notes)):
        if say(before) != say(after):
            yield Change(place, None, None, say(before), say(after))  # type: ignore[arg-type]


def _of_criterion(number: int, old: Rubric | None, new: Rubric | None) -> Iterator[Change]:
    said = ("" if one is None else f"{one['title']}, 0 to {one['maximum']}" for one in (old, new))
    before, after = said
    if before != after:
        yield Change("criterion", number, None, before, after)
    if old is None or new is None:
        return
    for points in sorted({**old["anchors"], **new["anchors"]}, key=int):
        words = [one["anchors"].get(points, "") for one in (old, new)]
        if words[0] != words[1]:
            yield Change("anchor", number, points, *words)


def say_bands(rubric: Rubric) -> str:
    """Say the bands in one line: `0 to 11 decline, 12 to 17 review, 18 to 25 invite`."""
    return ", ".join(f"{band['low']} to {band['high']} {band['proposal']}" for band in rubric["bands"])


def _say_maximum(rubric: Rubric) -> str:
    return str(rubric["max_total"])


def _say_notes(rubric: Rubric) -> str:
    return " ".join(str(rubric.get("notes", "")).split())
